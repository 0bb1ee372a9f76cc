"""How the lexicon that ships is made from its sources, and what it says of words that were constructed."""
