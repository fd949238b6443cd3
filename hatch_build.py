"""Puts the tables of the grammar into the wheel, so that no installation has to compute them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ParserTables(BuildHookInterface):  # type: ignore[type-arg]
    """Runs before a wheel is built, also an editable one."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write ``grammar/sql.tables``."""
        sys.path.insert(0, self.root)
        from grammar.tables import build_tables, store

        if not store(Path(self.root) / "grammar" / "sql.tables", build_tables()):
            raise OSError("grammar/sql.tables cannot be written")
