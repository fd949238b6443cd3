"""``TableEnvironment``: the catalogs, functions, queries and statements of one program."""
