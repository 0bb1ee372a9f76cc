"""Controllers: arms that ask for a whole answer or for its parts, step by step.

symbols    the characters that may be asked for, with names, and the mark that ends an answer
options    what an answer may be: codes bound to symbols, in the order in which they are displayed
arms       one way to ask, as orthogonal fields, and the one table of what goes together
tasks      what an arm is asked about: plain values
records    what was asked, answered and made of it
driving    driving any run to its record, and giving it the answers of a record again
running    the state machine of an arm on a task, and asking a record again
dialogues  the same for the states of dialogues, field by field
"""
