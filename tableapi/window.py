"""Group windows and over windows, by PyFlink's module name.

Queries over windows are not offered yet; the module stands where programs will import them from.
"""

__all__: list[str] = []
