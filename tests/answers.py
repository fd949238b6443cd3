"""Questions that Spark has answered as expected, so that a run asks only what has changed.

The outcome of some checks depends on nothing but texts and types: Spark analyses a text over constant tables, and the
types that it finds equal the inferred ones. A check of this kind keeps a digest of each question that was answered as
expected, with the version of Spark and the code of the check. A question with a kept digest is not asked again; a
changed text, type, table or check has another digest. Comments and docstrings decide no outcome, so that rewriting
them keeps all digests.

``--ask-again`` asks all questions, as ``make test-all`` does. ``--remember`` also writes their digests to
``tests/remembered``. Nothing else writes there: a digest that is missing costs time and no more. A run ends with the
names of the sources that have changed since, because all questions that they decide are asked in each run until
``make remember``.
"""

from __future__ import annotations

import io
import json
import tokenize
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache, cached_property
from hashlib import sha256
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

ROOT = Path(__file__).parent.parent
DIRECTORY = Path(__file__).with_name("remembered")
# The data that every check reads, the comparison of types, and the settings of the session.
_SOURCES = (
    "tests/comparison.py",
    "tests/programs/tables.py",
    "tests/sessions_in_memory.py",
    "tableapi/spark/required_settings.py",
    "tableapi/spark/types.py",
)
_DIGITS = 16
# The digest of each source of each check at the time when the answers were written.
_SOURCES_FILE = "sources.json"
# What a check also names among its sources if it compares rows that the library fetches.
FETCHING = (
    "tableapi/data/arrow.py",
    "tableapi/data/values.py",
    "tableapi/queries/runtime.py",
    "tableapi/result.py",
    "tableapi/spark/batches.py",
    "tableapi/spark/execution.py",
    "tableapi/spark/session.py",
)


def files_of(folder: str, *patterns: str) -> list[str]:
    """Return the files of a folder, relative to the root of the repository, that match a pattern, in order."""
    return sorted(str(path.relative_to(ROOT)) for pattern in patterns for path in (ROOT / folder).glob(pattern))


class Answers:
    """The questions of one check that Spark has answered as expected.

    Args:
        check: the name of the file with the digests.
        sources: the files that decide the outcome of the check, relative to the root of the repository.

    Attributes:
        check: the name of the check.
        sources: all files that decide its outcome.
        expected: the digests of the questions of this run that Spark has answered as expected, now or before.
        asked: how many questions of this run Spark is asked.
        known: how many it is not asked.
    """

    asks_again = False
    """Whether kept digests are disregarded; ``tests/conftest.py`` sets it."""
    _every: ClassVar[list[Answers]] = []

    def __init__(self, check: str, *sources: str) -> None:
        self.check = check
        self.sources = (*_SOURCES, *sources)
        self.expected: set[str] = set()
        self.asked = 0
        self.known = 0
        self._every.append(self)

    @classmethod
    def of_this_process(cls) -> Iterator[Answers]:
        """Yield the answers of all checks that this process has imported."""
        yield from cls._every

    @cached_property
    def _kept(self) -> frozenset[str]:
        file = _file(self.check)
        return frozenset(file.read_text(encoding="ascii").split()) if file.exists() else frozenset()

    @cached_property
    def _surroundings(self) -> bytes:
        digest = sha256(version("pyspark").encode())
        for source in self.sources:
            digest.update(_code(ROOT / source))
        return digest.digest()

    def _digest(self, question: tuple[object, ...]) -> str:
        return sha256(self._surroundings + repr(question).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]

    def know(self, *question: object) -> bool:
        """Whether Spark has answered a question as expected; if not, the check asks it.

        Args:
            question: all that decides the answer, and what is expected, in a form whose ``repr`` says it all.
        """
        digest = self._digest(question)
        if digest in self._kept and not self.asks_again:
            self.expected.add(digest)
            self.known += 1
            return True
        self.asked += 1
        return False

    def keep(self, *question: object) -> None:
        """Keep a question that was answered as expected."""
        self.expected.add(self._digest(question))


def write(expected: Mapping[str, Collection[str]], sources: Mapping[str, Iterable[str]] | None = None) -> None:
    """Write the digests of each check; those of questions that were not asked are dropped.

    Args:
        expected: the digests by the name of the check.
        sources: the files that decide the outcome of each check, whose changes ``changed_sources`` finds from now on.
    """
    DIRECTORY.mkdir(exist_ok=True)
    kept = _kept_sources()
    for check, digests in expected.items():
        if digests:
            _file(check).write_text("".join(f"{digest}\n" for digest in sorted(digests)), encoding="ascii")
    for check, decided_by in (sources or {}).items():
        kept[check] = {source: _digest_of(source) for source in decided_by}
    file = DIRECTORY / _SOURCES_FILE
    file.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="ascii")


def changed_sources() -> list[str]:
    """Return the files that decide outcomes and whose code is another one than when Spark's answers were kept."""
    changed = {
        source
        for sources in _kept_sources().values()
        for source, digest in sources.items()
        if digest != _digest_of(source)
    }
    return sorted(changed)


def _kept_sources() -> dict[str, dict[str, str | None]]:
    file = DIRECTORY / _SOURCES_FILE
    kept: dict[str, dict[str, str | None]] = json.loads(file.read_text(encoding="ascii")) if file.exists() else {}
    return kept


def _file(check: str) -> Path:
    return DIRECTORY / f"{check}.txt"


def _digest_of(source: str) -> str | None:
    path = ROOT / source
    return sha256(_code(path)).hexdigest()[:_DIGITS] if path.exists() else None


@cache
def _code(path: Path) -> bytes:
    """Return the text of a file, without the comments and the docstrings of Python."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        text = without_comments(text)
    return text.encode("utf-8")


def without_comments(source: str) -> str:
    """Return Python code without its comments, its docstrings, and the lines that they leave empty.

    Args:
        source: the code. All expressions that are one string and nothing else count as docstrings.
    """
    lines = io.StringIO(source).readlines()
    begins_statement = True
    cut: list[tuple[tuple[int, int], tuple[int, int]]] = []
    tokens = [token for token in tokenize.generate_tokens(io.StringIO(source).readline) if token.type != tokenize.NL]
    for token, following in pairwise(tokens):
        ends_statement = following.type in (tokenize.NEWLINE, tokenize.COMMENT)
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and begins_statement and ends_statement):
            cut.append((token.start, token.end))
        if token.type != tokenize.COMMENT:
            begins_statement = token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    for (first, start), (last, end) in reversed(cut):
        rest = lines[first - 1][:start].rstrip() + lines[last - 1][end:]
        lines[first - 1 : last] = [rest] if rest.strip() else []
    return "".join(lines)
