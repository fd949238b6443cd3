"""The built-in functions: one file a family, each definition one entry."""
