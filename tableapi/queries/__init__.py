"""What reads, runs and explains the queries of one environment, and the catalogs and session that it uses."""
