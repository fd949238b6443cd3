"""Programs that make the pages which are generated, and the site."""
