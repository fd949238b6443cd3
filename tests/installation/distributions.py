"""Build the sdist and the wheel from a clean copy, twice, and check them.

``make dist`` runs it (``python -m tests.installation.distributions``). Both builds have to be equal byte for byte,
under different hash seeds and in different folders. The time in the archives is that of the commit, or
``SOURCE_DATE_EPOCH``.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from email.parser import Parser
from pathlib import Path

from tests.installation.environments import ROOT

PACKAGES = ("grammar", "ir", "serializer", "tableapi")


def build(directory: Path, epoch: str, seed: str) -> dict[str, bytes]:
    """Build both packages from a copy of the files of the checkout; return their bytes by name."""
    source, out = directory / "source", directory / "dist"
    for name in _git("ls-files", "--cached", "--others", "--exclude-standard").splitlines():
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, source / name)
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", out, source],
        check=True,
        stdout=subprocess.DEVNULL,
        env={**_environment(), "SOURCE_DATE_EPOCH": epoch, "PYTHONHASHSEED": seed},
    )
    return {file.name: file.read_bytes() for file in sorted(out.iterdir())}


def _environment() -> dict[str, str]:
    """Return the environment without what leads Python to the checkout, in place of the copy."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def commit_time() -> str:
    """Return the time of the packages, in seconds: ``SOURCE_DATE_EPOCH``, else that of the commit."""
    return os.environ.get("SOURCE_DATE_EPOCH") or _git("log", "-1", "--format=%ct")


def build_twice(directory: Path) -> dict[str, bytes]:
    """Return the packages of two equal builds.

    Raises:
        ValueError: the builds differ, or a package has what it should not have; the message names each file.
    """
    epoch = commit_time()
    first = build(directory / "first", epoch, "1")
    second = build(directory / "another" / "folder", epoch, "2")
    wrong = differences(first, second)
    for name, content in first.items():
        file = directory / name
        file.write_bytes(content)
        wrong += [f"{name}: {line}" for line in (wheel_problems if name.endswith(".whl") else sdist_problems)(file)]
    if wrong:
        raise ValueError("\n".join(wrong))
    return first


def differences(first: Mapping[str, bytes], second: Mapping[str, bytes]) -> list[str]:
    """Return the names of the packages that two builds do not share byte for byte."""
    differing = [name for name in {**first, **second} if first.get(name) != second.get(name)]
    return [f"{name} differs between two builds: {_differing_files(first, second, name)}" for name in differing]


def _differing_files(first: Mapping[str, bytes], second: Mapping[str, bytes], name: str) -> str:
    """Return the files of a wheel that differ, with their times and rights."""
    if not name.endswith(".whl") or name not in first or name not in second:
        return "its bytes, or it is missing"
    one, two = (zipfile.ZipFile(io.BytesIO(packages[name])) for packages in (first, second))
    entries = [
        {info.filename: (info.CRC, info.date_time, info.external_attr) for info in archive.infolist()}
        for archive in (one, two)
    ]
    return ", ".join(sorted({file for file, _ in entries[0].items() ^ entries[1].items()})) or "their order"


def wheel_problems(wheel: Path) -> list[str]:
    """Return what is wrong with a wheel, as sentences."""
    with zipfile.ZipFile(wheel) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    version = wheel.name.split("-")[1]
    information = f"tableapi-{version}.dist-info"
    problems = list(_foreign_files(content, {*PACKAGES, information}))
    needed = [*(f"{package}/py.typed" for package in PACKAGES), "grammar/sql.tables", f"{information}/licenses/LICENSE"]
    problems += [f"{name} is missing" for name in needed if name not in content]
    problems += _metadata_problems(content.get(f"{information}/METADATA", b"").decode(), version)
    return problems + list(_machine_paths(content))


def sdist_problems(sdist: Path) -> list[str]:
    """Return what is wrong with an sdist, as sentences."""
    with tarfile.open(sdist) as archive:
        members = [member for member in archive.getmembers() if member.isfile()]
        content = {
            member.name.partition("/")[2]: extracted.read()
            for member in members
            if (extracted := archive.extractfile(member)) is not None
        }
    allowed = {*PACKAGES, "hatch_build.py", "pyproject.toml", "PKG-INFO"}
    allowed |= {"README.md", "LICENSE", "CHANGELOG.md", ".gitignore"}
    problems = list(_foreign_files(content, allowed))
    problems += [f"{name} is missing" for name in ("LICENSE", "hatch_build.py", "PKG-INFO") if name not in content]
    owners = {member.uname for member in members} | {member.gname for member in members}
    if owners - {""}:
        problems.append(f"its files belong to {', '.join(sorted(owners - {''}))}")
    if "grammar/sql.tables" in content:
        problems.append("grammar/sql.tables is made from the grammar, and would be stale")
    return problems + list(_machine_paths(content))


def _foreign_files(content: Mapping[str, bytes], allowed: set[str]) -> Iterator[str]:
    for name in content:
        first, *_, last = name.split("/") * 2
        is_leftover = last.endswith((".pyc", ".orig")) or last.startswith(("test_", "conftest"))
        if first not in allowed or is_leftover:
            yield f"{name} does not belong there"


def _metadata_problems(text: str, version: str) -> list[str]:
    found = Parser().parsestr(text)
    problems = [
        f"the metadata has no {field}"
        for field in ("Summary", "License-Expression", "License-File", "Requires-Python", "Keywords", "Classifier")
        if not found.get(field)
    ]
    if found.get("Version") != version:
        problems.append(f"the metadata is of version {found.get('Version')}")
    if not found.get_payload():
        problems.append("the metadata has no description")
    return problems


def _machine_paths(content: Mapping[str, bytes]) -> Iterator[str]:
    """Yield the files that have a path of the machine of the build."""
    places = {os.fsencode(place) for place in (ROOT, Path.home(), Path(sys.prefix)) if len(place.parts) > 2}
    for name, text in content.items():
        yield from (f"{name} has the path {os.fsdecode(place)}" for place in places if place in text)
        if b"tableapi-build-" in text:
            yield f"{name} has the path of the directory of the build"


def main(arguments: list[str]) -> int:
    """Write both packages to a directory, by default ``dist``; return 1 if they are not as they should be."""
    if _git("status", "--porcelain"):
        print("There are changes that are not committed: packages are built from a clean checkout.", file=sys.stderr)
        return 1
    target = Path(arguments[0] if arguments else ROOT / "dist")
    with tempfile.TemporaryDirectory(prefix="tableapi-build-") as directory:
        try:
            packages = build_twice(Path(directory))
        except ValueError as error:
            print(error, file=sys.stderr)
            return 1
    target.mkdir(parents=True, exist_ok=True)
    for name, content in packages.items():
        (target / name).write_bytes(content)
        print(f"{target / name}: {len(content):,} bytes, the same in two builds")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
