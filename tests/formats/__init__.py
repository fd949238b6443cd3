"""Tests of table formats, of JDBC, and of data sources in Python."""
