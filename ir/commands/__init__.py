"""Commands: the trees of statements that declare, change or drop a table, or change its rows.

A command is to such a statement what an operation is to a query: immutable, typed, with all names resolved. Two texts
of the same meaning, and the fluent calls of that meaning, give the same command.
"""
