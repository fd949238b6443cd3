"""Planning of asynchronous calls: extract them from expressions, so that many calls are in flight together.

The rewrites and their names come from FLIP-400; Spark needs some more. ``rules.py`` lists all of them.
"""
