"""Spark's parsed trees as texts that can be compared."""

from __future__ import annotations

import re
from typing import Any


def parsed_tree(parser: Any, text: str) -> str:
    """Return the tree to which a Spark parses a text, without the numbers of expressions.

    Quotes are left out, too, because the tree keeps some texts as they are written.
    """
    return re.sub(r"#[0-9]+", "#", str(parser.parsePlan(text).treeString())).replace("`", "")
