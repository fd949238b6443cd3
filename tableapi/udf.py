"""Functions that users write, by PyFlink's module name.

Such functions are not offered yet; the module stands where programs will import them from.
"""

__all__: list[str] = []
