"""What runs in workers of asynchronous functions. Nothing here imports more than the standard library and pyarrow."""
