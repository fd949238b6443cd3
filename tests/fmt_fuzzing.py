"""Random changes of SQL texts: the formatter keeps their meaning, or rejects them with one kind of exception.

``python -m tests.fmt_fuzzing`` tries every text of the tests and 20,000 changes of them; ``--count`` and ``--seed``
select how many and which. A normal test run tries a few, always the same ones.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import sys
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path

from grammar.formatting.concrete import concrete_parser
from grammar.formatting.statements import Scanner
from ir.errors import SqlParserException
from ir.rendering import Dialect
from tableapi import format_sql

_ROOT = Path(__file__).resolve().parent.parent
# The first words of strings that may be SQL.
_STARTS = ("SELECT", "WITH", "VALUES", "FROM", "INSERT", "CREATE", "EXECUTE", "BEGIN")
_LONGEST = 3_000
_NEW = (
    "''",
    '"',
    "'",
    "`",
    "(",
    ")",
    "[",
    "]",
    ",",
    ";",
    "--\n",
    "/*",
    "*/",
    "/**/",
    "\\",
    "\n",
    ".",
    "::",
    "->",
    "=>",
    "|>",
)
_WIDTHS = (100, 100, 100, 40, 1)


def every_text() -> list[str]:
    """Return the SQL in the files, the strings and the snapshots of the tests, without duplicates."""
    found: dict[str, None] = {}
    for pattern in ("tests/**/*.sql", "snapshots/**/*.sql"):
        for path in sorted(_ROOT.glob(pattern)):
            found[path.read_text(encoding="utf-8")] = None
    for path in sorted(_ROOT.glob("tests/**/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words = node.value.split(None, 1)
                if len(words) > 1 and words[0].upper() in _STARTS:
                    found[node.value] = None
    return [text for text in found if len(text) <= _LONGEST]


def changed(text: str, other: str, chosen: random.Random) -> str:
    """Return a text with one to three random changes of its words; ``other`` supplies words."""
    words, borrowed = _words(text), _words(other)
    for _ in range(chosen.choice((1, 1, 1, 2, 3))):
        if not words:
            break
        place = chosen.randrange(len(words))
        change = chosen.randrange(7)
        if change == 0:
            del words[place]
        elif change == 1:
            del words[place : place + chosen.randrange(1, 6)]
        elif change == 2:
            words.insert(place, chosen.choice(words))
        elif change == 3 and borrowed:
            words.insert(place, chosen.choice(borrowed))
        elif change == 4:
            with_ = chosen.randrange(len(words))
            words[place], words[with_] = words[with_], words[place]
        elif change == 5:
            words.insert(place, chosen.choice(_NEW))
        else:
            words.insert(place, words[place])
    return "".join(words)


def _words(text: str) -> list[str]:
    """Return the tokens of a text, each with the preceding blanks and comments."""
    found = []
    end = 0
    try:
        tokens = Scanner(text, concrete_parser(Dialect.SPARK)).words()
    except SqlParserException:
        # A quotation is never closed.
        return re.findall(r"\s*\S+", text)
    for word, position in tokens:
        found.append(text[end : position + len(word)])
        end = position + len(word)
    return [*found, text[end:]]


def problem(text: str, dialect: Dialect, width: int = 100) -> str | None:
    """Return the problem with the formatting of a text; None if there is none."""
    try:
        once = format_sql(text, dialect, width)
    except SqlParserException:
        return None
    except Exception:
        return traceback.format_exc(limit=-4)
    # The formatter itself checks that tokens and comments stay, and raises AssertionError otherwise.
    try:
        twice = format_sql(once, dialect, width)
    except Exception:
        return f"The result cannot be formatted again:\n{once}\n{traceback.format_exc(limit=-3)}"
    return None if once == twice else f"Formatting again changes the result:\n{once}\n--- becomes\n{twice}"


def changes(texts: Sequence[str], seed: int, count: int) -> Iterator[tuple[str, Dialect, int]]:
    """Yield changed texts, with the dialect and the width for their formatting."""
    chosen = random.Random(seed)
    for _ in range(count):
        text = changed(chosen.choice(texts), chosen.choice(texts), chosen)
        yield text, chosen.choice((Dialect.SPARK, Dialect.SPARK, Dialect.FLINK)), chosen.choice(_WIDTHS)


def main() -> int:
    """Format every text and random changes of the texts; print the problems."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    texts = every_text()
    unchanged = [(text, dialect, 100) for text in texts for dialect in Dialect]
    wrong = 0
    for text, dialect, width in (*unchanged, *changes(texts, options.seed, options.count)):
        found = problem(text, dialect, width)
        if found is not None:
            wrong += 1
            print(f"=== {dialect.name}, width {width}:\n{text}\n--- {found}\n", flush=True)
    print(f"{len(texts):,} texts in both dialects, {options.count:,} changed ones: {wrong} wrong.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
