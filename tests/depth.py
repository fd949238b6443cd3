"""How deep the tests nest queries, types and texts to show that no function calls itself for each level."""

DEPTH = 600
"""More levels than the stack has frames with the fixture ``short_stack``."""
