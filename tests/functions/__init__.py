"""Values of functions: each family's module has CASES, which are SQL expressions with their expected values."""
