"""Programs such as PyFlink's documentation and examples show, as a user of PyFlink has them."""
