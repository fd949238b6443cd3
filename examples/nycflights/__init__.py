"""Every flight that left New York City in 2013: questions asked fluently, stored as views, read by another process."""
