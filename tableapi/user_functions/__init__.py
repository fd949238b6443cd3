"""User-defined functions: their declaration, types, storage, and calls."""
