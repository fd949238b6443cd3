"""TPC-H in the Table API."""
