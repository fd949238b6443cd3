"""User-defined functions: their declarations, their name resolution, and their execution."""
