"""How the lexicon that ships is made from WordNet and wordfreq; nothing here is needed to use it."""
