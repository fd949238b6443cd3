"""Data about the SQL dialects that emission and parsing share: precedence, call syntaxes and names."""
