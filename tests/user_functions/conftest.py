"""The analyzer that the types of functions made of expressions are compared with."""

from __future__ import annotations

from tests.oracle.conftest import oracle

__all__ = ["oracle"]
