"""The exceptions and warnings of the library."""

from ir.errors import SuspiciousCastWarning

__all__ = ["SuspiciousCastWarning"]
