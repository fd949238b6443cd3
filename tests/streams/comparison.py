"""Compare the rules of ``ir.streaming`` with Spark's verdicts, both ways: ``python -m tests.streams.comparison``."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator

import attrs
from rich.console import Console
from rich.progress import track

from ir.streaming.rules import find_refusals
from tests.streams.oracle import MODES, Measured, list_asked, read_measured
from tests.streams.queries import Path, text_of
from tests.streams.streams import read

KNOWN = {
    "Spark loses the watermark of a stream that is joined with itself": lambda path: (
        path[1:] == ("right-join-late-bounds", "right-join-swapped-late-bounds")
    ),
    "Spark fails with 'key not found' in a correlated subquery over a union": lambda path: (
        path[1:] == ("union-all-late", "correlated-table")
    ),
}
"""Why the rules and Spark disagree about a query, and which queries these are."""


@attrs.frozen
class Difference:
    """A mode in which the rules and Spark disagree, with the reason of each; None if it accepts the query."""

    path: Path
    mode: str
    ours: str | None
    spark: str | None

    @property
    def known(self) -> str | None:
        """Why the difference is intended, None if it is a mistake."""
        return next((reason for reason, holds in KNOWN.items() if holds(self.path)), None)

    def __str__(self) -> str:
        return (
            f"{'/'.join(self.path)} in {self.mode} mode: ours {self.ours or 'accept'}; Spark {self.spark or 'accepts'}"
        )


def compare(paths: Iterable[Path], measured: Measured) -> Iterator[Difference]:
    """Yield where the rules and Spark disagree.

    Refusals by choice do not count, nor do those that only a run would show, where the query has not been run.
    """
    for path in paths:
        verdict = measured.verdict(path)
        refusals = find_refusals(read(text_of(path)))
        for mode in MODES:
            here = [refusal for refusal in refusals if mode in {one.value for one in refusal.modes}]
            enforced = [refusal for refusal in here if not refusal.is_by_choice]
            if mode not in measured.runs.get(path, {}) and any(refusal.fails_at_start for refusal in enforced):
                # Nobody knows how a run would end.
                continue
            if bool(enforced) != bool(verdict[mode]) and not (here and verdict[mode]):
                ours = enforced[0].reason.in_sql({}) if enforced else None
                yield Difference(path, mode, ours, verdict[mode])


def main() -> int:
    """Compare all queries, and print the differences; return the exit status, 0 if all are intended."""
    console = Console(highlight=False)
    measured = read_measured()
    found = list(compare(track(list_asked(), "comparing", console=console), measured))
    unknown = [difference for difference in found if difference.known is None]
    for difference in unknown:
        console.print(str(difference), soft_wrap=True)
    answers = len(measured.checked) * len(MODES)
    console.print(
        f"{len(measured.checked)} queries, {answers} verdicts, {len(found)} differences, {len(unknown)} unknown"
    )
    for reason, count in Counter(difference.known for difference in found if difference.known).items():
        console.print(f"{count} × {reason}")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
