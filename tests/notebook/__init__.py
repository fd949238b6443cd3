"""The library in IPython and in notebooks."""
