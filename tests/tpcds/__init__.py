"""Plans of the queries of TPC-DS: those of our texts against those of the original texts."""
