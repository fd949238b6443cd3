"""A killed stream of changes continues, and the table in PostgreSQL has each change once."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tableapi import Row
from tests.formats import databases
from tests.streams import change_model, kills

pytestmark = [
    pytest.mark.long,
    pytest.mark.nightly,
    pytest.mark.skipif(databases.postgres_programs() is None, reason="PostgreSQL or its JDBC driver is not installed"),
]

FILES = 16


def test_kills_between_and_in_batches(jvm: None, tmp_path: Path) -> None:
    chosen, expected = random.Random(11), dict[str, int | None]()
    for number in range(FILES):
        changes = change_model.random_changes(chosen, chosen.choice((3, 30)))
        change_model.drop(tmp_path / "drops", number, changes)
        change_model.apply(expected, changes)
    program = Path(__file__).with_name("killed_changes.py")
    with kills.some_database() as database:
        assert database is not None
        run = kills.Program(tmp_path / "run", tmp_path / "drops", database, program)
        for batches in (0, 2, 4):
            run.kill_after_batches(batches)
            run.forget_commits()
        run.kill(chosen.uniform(0, 2))
        assert run.finish() == {"totals": [str(Row(k=key, n=value)) for key, value in sorted(expected.items())]}
        left = databases.run_in_postgres(
            database.programs, database.port, "SELECT tablename FROM pg_tables WHERE schemaname = 'run' ORDER BY 1"
        )
    # No copy of a batch is left.
    assert left.splitlines() == ["log", "tableapi_stream_batches", "totals"]
