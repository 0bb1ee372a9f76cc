"""Asking systems: what to ask next, and what was answered, without deciding how it is sent.

controllers/  arms as state machines without input or output: `request`, `give`, and a record that
              replays itself
"""
