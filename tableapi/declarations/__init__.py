"""Tables as programs declare them: columns, formats and options of files, and what inserts write to."""
