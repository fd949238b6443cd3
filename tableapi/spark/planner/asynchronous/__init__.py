"""Calls of asynchronous functions in an operation tree: taken out of expressions, so that many are in flight together.

The rules are those of FLIP-400, with its names, and others for what Spark does: ``rules.py`` lists them.
"""
