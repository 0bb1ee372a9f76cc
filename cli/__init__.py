"""The commands that a user types. They call the library, print what it found, and hold no logic.

Importing a module of this room imports click and nothing else that is slow: the library, and rich, are
imported by the functions that use them, so that `--help` answers at once.
"""
