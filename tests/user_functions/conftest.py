"""The analyzer for comparing the types of functions made of expressions."""

from __future__ import annotations

from tests.oracle.conftest import oracle

__all__ = ["oracle"]
