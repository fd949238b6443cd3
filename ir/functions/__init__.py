"""The built-in functions: one module per family, one entry per definition."""
