"""The TPC-H benchmark in the Table API."""
