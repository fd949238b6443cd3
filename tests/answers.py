"""Questions that Spark has answered as expected, so that a run asks only what has changed.

The outcome of some checks depends on nothing but texts and types: Spark analyses a text over constant tables, and the
types that it finds equal the inferred ones. A check of this kind keeps a digest of each question that was answered as
expected, with the version of Spark and the source of the check. A question with a kept digest is not asked again; a
changed text, type, table or check has another digest.

``--ask-again`` asks all questions, as ``make test-all`` does. ``--remember`` also writes their digests to
``tests/remembered``. Nothing else writes there: a digest that is missing costs time and no more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from hashlib import sha256
from importlib.metadata import version
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
            digest.update((ROOT / source).read_bytes())
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


def write(expected: Mapping[str, Collection[str]]) -> None:
    """Write the digests of each check; those of questions that were not asked are dropped.

    Args:
        expected: the digests by the name of the check.
    """
    for check, digests in expected.items():
        if digests:
            DIRECTORY.mkdir(exist_ok=True)
            _file(check).write_text("".join(f"{digest}\n" for digest in sorted(digests)), encoding="ascii")


def _file(check: str) -> Path:
    return DIRECTORY / f"{check}.txt"
