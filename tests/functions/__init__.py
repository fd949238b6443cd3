"""Values of functions: each family's module has CASES, expressions of our SQL with the value that each is."""
