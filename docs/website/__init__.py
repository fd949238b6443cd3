"""The documentation site: pages of the repository as the input of Sphinx, and its configuration."""
