"""Parsing, running and explaining queries of one environment, with the catalogs and the session that they use."""
