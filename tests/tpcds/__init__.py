"""Plans of the TPC-DS queries: the SQL of this library against the original texts."""
