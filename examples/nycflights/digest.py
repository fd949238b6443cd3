"""A digest of rows, to check that two processes see the same rows."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow


def digest(rows: pyarrow.Table) -> str:
    """Return a digest of rows that does not depend on their order, since a view does not guarantee one."""
    columns = [column.to_pylist() for column in rows.columns]
    lines = sorted(repr(row) for row in zip(*columns, strict=True))
    return hashlib.sha256("\n".join([repr(rows.column_names), *lines]).encode()).hexdigest()
