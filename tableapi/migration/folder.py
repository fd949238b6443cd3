"""The folder into which views are imported: a project, whose files are replaced only if an import wrote them."""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from ir.identifiers import fold
from tableapi.migration.memory import FOLDER, ImportMemory
from tableapi.project.configuration import FILE_NAME, Configuration, ProjectError, TargetSettings, read_configuration

REPORT_NAMES: Final = ("import-report.json", "import-report.html")
_LEFTOVER: Final = ".import-tmp"
UNREADABLE: Final = "unreadable"
"""The folder of the views that are kept as text; no part of a project reads it."""


def open_folder(root: Path, origin: Configuration | None, database: str) -> Configuration:
    """Return the project in a folder, and write a new one if the folder is empty.

    Args:
        root: the folder.
        origin: the project whose targets and settings a new one gets; None for a project without targets.
        database: the database of names without one in a new project.

    Raises:
        ProjectError: the folder has other files and no project, or its project has another catalog or time zone.
    """
    root = root.absolute()
    if root.exists() and not root.is_dir():
        raise ProjectError(f"{root} is a file. Choose a folder for the imported views.")
    if not (root / FILE_NAME).is_file():
        names = [path.name for path in root.iterdir()] if root.exists() else []
        foreign = sorted(name for name in names if name != FOLDER and not name.endswith(_LEFTOVER))
        if foreign:
            raise ProjectError(
                f"{root} is not empty and has no {FILE_NAME}: it has {', '.join(foreign[:3])}"
                f"{' …' if len(foreign) > 3 else ''}. Choose an empty or a new folder, or the folder of a project."
            )
        root.mkdir(parents=True, exist_ok=True)
        write_file(root / FILE_NAME, project_text(root, origin, database).encode())
    found = read_configuration(root)
    for what in ("catalog_name", "time_zone") if origin is not None else ():
        ours, theirs = getattr(found, what), getattr(origin, what)
        if fold(ours) != fold(theirs):
            raise ProjectError(
                f"The project in {root} has {what} = {ours!r}, and the project of the target has {theirs!r}. With "
                "another value, the views would mean something else. Choose another folder."
            )
    return found


def project_text(root: Path, origin: Configuration | None, database: str, name: str | None = None) -> str:
    """Return the text of a project file with the targets of another project."""
    chosen = name or re.sub(r"[^\w.-]+", "_", root.absolute().name) or "imported"
    lines = ["[project]", f"name = {_text(chosen)}", f"database = {_text(database)}", 'views = ["views"]']
    if origin is not None:
        lines += [f"catalog_name = {_text(origin.catalog_name)}", f"time_zone = {_text(origin.time_zone)}"]
        lines += catalog_lines(origin, root)
        for target in origin.targets.values():
            lines += ["", f"[targets.{_text(target.name)}]", *_target_lines(target, root, origin.root)]
        lines += ["", "[environments]", f"naming = {_text(origin.naming)}"]
    return "\n".join([*lines, ""])


def catalog_lines(origin: Configuration, root: Path) -> list[str]:
    """Return the lines of a project file in a folder that name the other catalogs of a project, where they are."""
    lines = []
    for name, folder in origin.catalogs.items():
        lines += ["", f"[catalogs.{name}]", f"folder = {_text(_shown_folder(folder, root))}"]
    return lines


def _shown_folder(folder: Path, root: Path) -> str:
    """Return the path of a folder for a project file in another folder."""
    place = folder.absolute()
    try:
        return Path(os.path.relpath(place, root.absolute())).as_posix()
    except ValueError:
        # On Windows, there is no way from one drive to another.
        return place.as_posix()


def _target_lines(target: TargetSettings, root: Path, origin: Path) -> list[str]:
    lines = []
    if target.spark is not None:
        lines.append(f"spark = {_text(target.spark)}")
    if target.session is not None:
        module = target.session.partition(":")[0]
        lines.append(f"# The module {module} has to be importable from this folder.")
        lines.append(f"session = {_text(target.session)}")
    for key, value in (("remote", target.remote), ("journal", target.journal)):
        if value is not None:
            lines.append(f"{key} = {_text(value)}")
    for key, folder in (("warehouse", target.warehouse), ("directory", target.directory)):
        if folder is not None:
            lines.append(f"{key} = {_text(_shown_folder(origin / folder, root))}")
    return lines


def _text(text: str) -> str:
    """Return a string of TOML."""
    return json.dumps(text, ensure_ascii=False)


def relative_path(file: str | Path, root: Path) -> str:
    """Return the path of a file relative to a folder in which it need not be; an empty path stays empty."""
    return Path(os.path.relpath(root / file, root)).as_posix() if str(file) else ""


def write_file(path: Path, content: bytes) -> bool:
    """Replace a file in one step, unless it has the content already; return whether it was written."""
    try:
        if path.read_bytes() == content:
            return False
    except OSError:
        pass
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.parent / f".{path.name[:100]}.{secrets.token_hex(4)}{_LEFTOVER}"
    try:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    return True


class ImportFolder:
    """The files of an import.

    Args:
        root: the folder of the project.
        memory: what earlier runs did there.
        overwrites: whether files may be replaced that no import wrote, or that somebody edited.
    """

    def __init__(self, root: Path, memory: ImportMemory, *, overwrites: bool = False) -> None:
        self._root = root
        self._memory = memory
        self._overwrites = overwrites

    def publish(self, files: Mapping[str, bytes], replaced: Mapping[str, str] = MappingProxyType({})) -> list[str]:
        """Write the files of an import, and remove those of earlier runs of the same origin that it does not have.

        Files are removed first, because a catalog cannot be read that has an object in two files.

        Args:
            files: the contents of the files by their paths.
            replaced: for files, the other file that has the same object now.

        Returns:
            The files that were left as they are, because somebody edited them or another program wrote them.
        """
        left = []
        own = self._memory.files_of_origin()
        for path in dict.fromkeys([*own, *replaced.values()]):
            place = self._root / path
            if path in files or not place.is_file():
                continue
            is_of_import = path in own or place.suffix == ".sql"
            if is_of_import and (self._overwrites or self._memory.is_own(path, place.read_bytes())):
                place.unlink()
            else:
                left.append(path)
        for path, content in files.items():
            place = self._root / path
            if place.exists() and not self._may_replace(path, content):
                left.append(path)
                continue
            if replaced.get(path) in left and place.suffix == ".sql":
                continue
            self._memory.announce(path, content)
            write_file(place, content)
        self._remove_leftovers()
        return sorted(left)

    def _may_replace(self, path: str, content: bytes) -> bool:
        try:
            found = (self._root / path).read_bytes()
        except OSError:
            return False
        return self._overwrites or found == content or self._memory.is_own(path, found)

    def _remove_leftovers(self) -> None:
        """Remove the files beside others that a process left when it was ended."""
        for folder in {self._root, *[(self._root / path).parent for path in self._memory.files()]}:
            for beside in folder.glob(f".*{_LEFTOVER}"):
                beside.unlink(missing_ok=True)
