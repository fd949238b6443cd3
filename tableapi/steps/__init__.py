"""Steps between two tables: grouped, windowed and partitioned tables, and the checks of what they are given."""
