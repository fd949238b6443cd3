"""Views as code: a project of views in files, its checks, and the plan of a deployment.

A project is a folder with a file ``tableapi.toml``. Its views are Python functions with the decorator ``view``, or
``.sql`` files of a directory catalog, which also has the columns of the tables that the views read.
"""
