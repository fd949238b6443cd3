"""The examples of members in ``examples/CLASS.txt``, for members whose docstrings have none.

Each file is one doctest: a block for each member, below its name as a heading, and a first one for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).with_name("examples")
SETUP: Final = "setup"
"""The heading of the block that comes before all others."""


@cache
def member_examples() -> Mapping[str, Mapping[str, str]]:
    """Return the block of each member, by the name of its class and its own.

    >>> member_examples()["TableEnvironment"]["list_views"].splitlines()[1]
    '>>> te.list_views()'
    """
    return {file.stem: _blocks(file.read_text(encoding="utf-8")) for file in sorted(FOLDER.glob("*.txt"))}


def _blocks(text: str) -> dict[str, str]:
    return dict(re.findall(r"^## (\w+)\n\n(```python\n.*?^```)$", text, re.DOTALL | re.MULTILINE))
