"""Programs like those in PyFlink's documentation and examples, as PyFlink users have them."""
