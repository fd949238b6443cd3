"""Engines that a query is written for: which functions, types and clauses each version has, and what replaces others.

``target`` says what an engine has; its facts are measured (``availability.json``). ``preparation`` rewrites a query to
what a target has. ``forms`` has the replacements: the calls by which an older version computes the same values.
"""
