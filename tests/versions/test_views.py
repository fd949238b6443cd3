"""Views that are stored by one version of Spark and read by the others, in one metastore.

Each version has a Python environment of its own, which ``make versions`` makes. ``python -m tests.versions.view_pairs``
also stores programs.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.versions.sparks import SPARKS
from tests.versions.view_pairs import UNREADABLE, installed, pairs, prepare

pytestmark = pytest.mark.long
_ORDER = (*SPARKS, "4.3")


def test_views_of_all_versions_are_read_by_all(jvm: None, tmp_path: Path) -> None:
    versions = installed()
    if len(versions) == 1:
        pytest.skip("no other version of Spark is installed: make versions")
    prepare(tmp_path, 0)
    wrong, unread = {}, {}
    for pair in pairs(versions, tmp_path):
        is_older = _ORDER.index(pair.reader) < _ORDER.index(pair.writer)
        expected = UNREADABLE.get(pair.reader, frozenset()) if is_older else frozenset()
        wrong |= {(pair.reader, name): found for name, found in pair.wrong.items()}
        unread |= {
            (pair.reader, name): message
            for name, message in pair.refused.items()
            if name.split("_of_")[0] not in expected or f"stored by Spark {pair.writer}" not in message
        }
    assert wrong == {}
    assert unread == {}
