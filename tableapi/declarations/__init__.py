"""Declared tables: columns, formats and options of files, and the targets of inserts."""
