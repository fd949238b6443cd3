"""The SQL that releases emitted: each text is read, and means what its program means today."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.releases import CHANGELOG, Release, is_released, releases, texts_today, unannounced_texts
from tests.programs import PROGRAMS
from tests.programs.tables import Tables, environment_without_spark

RELEASES = releases()


@pytest.mark.slow
@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.version)
def test_texts_of_a_release_are_read_as_the_query_of_today(release: Release) -> None:
    tables = Tables(environment_without_spark())
    wrong = []
    for name, text in release.texts.items():
        read = tables.env.sql_query(text).query_operation.normalize()
        # A program that tests no longer have must still be read.
        if name in PROGRAMS and PROGRAMS[name].build(tables).query_operation.normalize() is not read:
            wrong.append(name)
    assert wrong == []


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.version)
def test_a_changed_text_is_in_the_changelog(release: Release) -> None:
    changelog = CHANGELOG.read_text(encoding="utf-8")
    # Until its date is in the changelog, the texts of a version may change.
    if is_released(release.version, changelog):
        assert unannounced_texts(release, texts_today(), changelog) == []
    assert set(release.texts) & set(texts_today())


def test_files_are_small() -> None:
    folder = Path(__file__).parents[1] / "docs" / "releases"
    assert all(file.stat().st_size < 200_000 for file in folder.iterdir())
