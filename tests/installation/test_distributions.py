"""The checks of the packages find what does not belong into them, and what is missing."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.installation.distributions import PACKAGES, differences, sdist_problems, wheel_problems
from tests.installation.environments import ROOT

METADATA = (
    "Metadata-Version: 2.4\nName: tableapi\nVersion: 0.1.0\nSummary: s\nLicense-Expression: Apache-2.0\n"
    "License-File: LICENSE\nKeywords: sql\nClassifier: Typing :: Typed\nRequires-Python: >=3.10\n\n# tableapi\n"
)
WHEEL = {
    **{f"{package}/py.typed": "" for package in PACKAGES},
    "grammar/sql.tables": "",
    "tableapi-0.1.0.dist-info/METADATA": METADATA,
    "tableapi-0.1.0.dist-info/licenses/LICENSE": "",
}
SDIST = {f"tableapi-0.1.0/{name}": "" for name in ("LICENSE", "hatch_build.py", "PKG-INFO", "ir/nodes.py")}


def zipped(path: Path, files: dict[str, str]) -> Path:
    wheel = path / "tableapi-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return wheel


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, []),
        ({"tests/test_a.py": ""}, ["tests/test_a.py does not belong there"]),
        ({"ir/test_nodes.py": ""}, ["ir/test_nodes.py does not belong there"]),
        ({"ir/nodes.pyc": ""}, ["ir/nodes.pyc does not belong there"]),
        ({"ir/nodes.py": f"# {ROOT}/ir"}, [f"ir/nodes.py has the path {ROOT}"]),
        ({"ir/nodes.py": "/tmp/tableapi-build-x1"}, ["ir/nodes.py has the path of the directory of the build"]),
        ({"grammar/sql.tables": None}, ["grammar/sql.tables is missing"]),
        ({"serializer/py.typed": None}, ["serializer/py.typed is missing"]),
        (
            {"tableapi-0.1.0.dist-info/METADATA": METADATA.replace("Keywords: sql\n", "").replace("0.1.0", "0.2.0")},
            ["the metadata has no Keywords", "the metadata is of version 0.2.0"],
        ),
    ],
)
def test_problems_of_a_wheel(change: dict[str, str | None], expected: list[str], tmp_path: Path) -> None:
    files = {name: text for name, text in {**WHEEL, **change}.items() if text is not None}
    assert wheel_problems(zipped(tmp_path, files)) == expected


@pytest.mark.parametrize(
    ("change", "owner", "expected"),
    [
        ({}, "", []),
        ({"tests/__init__.py": ""}, "", ["tests/__init__.py does not belong there"]),
        ({"LICENSE": None}, "", ["LICENSE is missing"]),
        ({"grammar/sql.tables": ""}, "", ["grammar/sql.tables is made from the grammar, and would be stale"]),
        ({}, "ada", ["its files belong to ada"]),
    ],
)
def test_problems_of_an_sdist(change: dict[str, str | None], owner: str, expected: list[str], tmp_path: Path) -> None:
    changed = {f"tableapi-0.1.0/{name}": text for name, text in change.items()}
    path = tmp_path / "tableapi-0.1.0.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name, text in {**SDIST, **changed}.items():
            if text is not None:
                member = tarfile.TarInfo(name)
                member.size, member.uname = len(text), owner
                archive.addfile(member, io.BytesIO(text.encode()))
    assert sdist_problems(path) == expected


def test_differences_between_builds(tmp_path: Path) -> None:
    one = zipped(tmp_path, WHEEL).read_bytes()
    two = zipped(tmp_path, {**WHEEL, "ir/py.typed": "partial"}).read_bytes()
    assert differences({"a.whl": one}, {"a.whl": one}) == []
    assert differences({"a.whl": one}, {"a.whl": two}) == ["a.whl differs between two builds: ir/py.typed"]
    assert differences({"a.tar.gz": b"1"}, {}) == ["a.tar.gz differs between two builds: its bytes, or it is missing"]
