"""Environments of Python with chosen packages, made in a moment from packages that are already installed."""

from __future__ import annotations

import venv
from collections.abc import Iterable, Iterator
from importlib.metadata import distribution
from pathlib import Path

import tomllib
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]


def requirements() -> list[str]:
    """Return the requirements of the project without its extras."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        found: list[str] = tomllib.load(file)["project"]["dependencies"]
    return found


def entry_points() -> str:
    """Return the entry points of the project, as the file ``entry_points.txt`` of an installed project has them."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    groups = {"console_scripts": project["scripts"], **project["entry-points"]}
    return "\n".join(
        f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in places.items())
        for group, places in groups.items()
    )


def environment_with(directory: Path, given: Iterable[str]) -> Path:
    """Make an environment that has the project and some requirements with all that they require.

    The packages are links to the installed ones, which takes neither time nor a network.

    Returns:
        The environment's Python.
    """
    venv.create(directory, symlinks=True)
    (packages,) = directory.glob("lib/python*/site-packages")
    for entry in sorted(set(_entries(given))):
        (packages / entry.name).symlink_to(entry)
    (packages / "tableapi.pth").write_text(f"{ROOT}\n", encoding="utf-8")
    # What pip knows of the project.
    information = packages / "tableapi-0.1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: tableapi\nVersion: 0.1.0\n", encoding="utf-8")
    (information / "entry_points.txt").write_text(entry_points(), encoding="utf-8")
    return directory / "bin" / "python"


def _entries(given: Iterable[str]) -> Iterator[Path]:
    """Yield the files and directories of requirements, and of what they require."""
    for requirement in map(Requirement, given):
        extras = requirement.extras or {""}
        if requirement.marker is not None and not any(requirement.marker.evaluate({"extra": e}) for e in extras):
            continue
        found = distribution(requirement.name)
        for file in found.files or ():
            if file.parts[0] not in ("..", "__pycache__"):
                yield Path(str(found.locate_file(file.parts[0])))
        needed = [Requirement(each) for each in found.requires or ()]
        yield from _entries(
            str(each).partition(";")[0]
            for each in needed
            if each.marker is None or any(each.marker.evaluate({"extra": extra}) for extra in extras)
        )
