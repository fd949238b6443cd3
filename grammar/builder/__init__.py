"""Makes operations and expressions of what was written: names find their columns, and the resolver does the rest."""
