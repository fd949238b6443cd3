"""Run asynchronous functions in workers. The modules here import only the standard library and pyarrow."""
