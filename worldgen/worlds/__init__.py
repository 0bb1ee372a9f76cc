"""Worlds: laws on roots, each with the exact posterior of what a view shows. One file per family."""
