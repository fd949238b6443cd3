"""The extension for IPython and notebooks: ``%load_ext tableapi``."""
