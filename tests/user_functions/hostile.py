"""A module that must not be imported: anyone who can write to a catalog could name any module there."""

from __future__ import annotations

import os
from pathlib import Path

from tableapi import udf

Path(os.environ["TABLEAPI_HOSTILE_MARK"]).write_text("imported", encoding="utf-8")


@udf
def harmless(text: str) -> str:
    """Return a text."""
    return text


no_function = os.system
"""An object that a catalog could name so that it gets called."""
