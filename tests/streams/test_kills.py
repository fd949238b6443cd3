"""A killed stream continues, and each row is written once. ``python -m tests.streams.kills`` kills more often."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.streams import kills

pytestmark = [pytest.mark.long, pytest.mark.nightly]

FILES = 6


def test_two_kills(jvm: None, tmp_path: Path) -> None:
    kills.drop_files(tmp_path / "drops", FILES)
    program = kills.Program(tmp_path / "run", tmp_path / "drops")
    program.kill_after_batches(0)
    program.kill_after_batches(3)
    program.forget_commits()
    rows = program.finish()
    assert [len(found) for found in rows.values()] == kills.expect_counts(FILES)
    ids = sorted(i for events in kills.list_events(FILES) for i, _, _ in events)
    assert sorted(int(row.partition("id=")[2].partition(",")[0]) for row in rows["copies"]) == ids
