"""The intermediate representation: logical types, expressions, operations, functions and their resolution."""
