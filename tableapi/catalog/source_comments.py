"""Comments in stored texts of views that name the file and the revision from which a view was deployed.

Spark keeps the text of a view from its first word on, so that the comment stands behind that word.
"""

from __future__ import annotations

import re
from typing import Final

_MARK: Final = "tableapi:"
_COMMENT: Final = re.compile(rf"\A(\w+|\() /\* {_MARK} [^*]* \*/")
_FIRST: Final = re.compile(r"\A(\w+|\()")


def add_source_comment(text: str, source: str) -> str:
    """Return the text of a query with a comment behind its first word.

    >>> add_source_comment("SELECT 1 AS x", "views/a.py:3, revision 8836eecfc884")
    'SELECT /* tableapi: views/a.py:3, revision 8836eecfc884 */ 1 AS x'

    Args:
        text: the text, which begins with a word or a parenthesis.
        source: what the comment says.
    """
    said = source.replace("*", "_")
    return _FIRST.sub(lambda first: f"{first[0]} /* {_MARK} {said} */", text, count=1)


def remove_source_comment(text: str) -> str:
    """Return the text of a query without the comment of ``add_source_comment``.

    >>> remove_source_comment("SELECT /* tableapi: views/a.py:3 */ 1 AS x"), remove_source_comment("SELECT /* a */ 1")
    ('SELECT 1 AS x', 'SELECT /* a */ 1')
    """
    return _COMMENT.sub(lambda found: found[1], text, count=1)
