"""Steps between two tables: grouped, windowed and partitioned tables, and the checks of their arguments."""
