"""Relations that probability fixes between reports on one root, whatever the root.

A *claim* is a report put on its events. A relation names the claims that it compares and a residual
that is zero whenever every claim is the exact posterior of one and the same world. Nothing here knows a
world, a text or a system: claims are events and numbers.
"""
