"""What emission and parsing share about the SQL dialects: precedence, call syntaxes and names, as data."""
