"""Writes the files of a pipeline into a folder that may hold files of its user, too.

A manifest names the files that were written, with their digests. Only those are ever replaced or removed, and a file
that somebody edited is neither without being asked for. Each file is replaced as a whole; if the process ends between
two files, the next run does the rest.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import attrs

from tableapi.project.configuration import ProjectError

MANIFEST: Final = ".tableapi-pipeline.json"
_FORMAT: Final = 1


@attrs.frozen
class WrittenFiles:
    """The changes that a run made to the files of a folder.

    Attributes:
        created: the new files.
        changed: the files with another content than before.
        removed: the files of earlier runs that the pipeline no longer has.
        unchanged: the number of files that are as they were.
    """

    created: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: int


def write_files(folder: Path, files: Mapping[str, str], *, overwrite_edited: bool = False) -> WrittenFiles:
    """Make the files of a pipeline those of a folder, and keep all files that an earlier run did not write.

    Args:
        folder: the folder; it is created if it does not exist.
        files: the texts by the paths relative to the folder.
        overwrite_edited: whether files may be replaced or removed that somebody edited.

    Raises:
        ProjectError: a file is in the way that no run wrote, or one was edited. Nothing was changed then.
    """
    known = _read_manifest(folder)
    there = {name: _content(folder / name) for name in {*files, *known}}
    _refuse_foreign(folder, files, known, there, overwrite_edited=overwrite_edited)
    created = [name for name in files if there[name] is None]
    changed = [name for name in files if there[name] not in (None, files[name].encode())]
    removed = [name for name in known if name not in files and there[name] is not None]
    digests = {name: [_digest(text.encode())] for name, text in files.items()}
    if created or changed or removed or known != digests:
        # Until all is done, a file may have its old or its new content.
        both = {name: [*known.get(name, ()), *digests.get(name, ())] for name in {*known, *digests}}
        _write_manifest(folder, both)
        for name in (*created, *changed):
            _replace(folder, folder / name, files[name].encode())
        for name in removed:
            _remove(folder, folder / name)
        _write_manifest(folder, digests)
    unchanged = len(files) - len(created) - len(changed)
    return WrittenFiles(tuple(sorted(created)), tuple(sorted(changed)), tuple(sorted(removed)), unchanged)


def _refuse_foreign(
    folder: Path,
    files: Mapping[str, str],
    known: Mapping[str, list[str]],
    there: Mapping[str, bytes | None],
    *,
    overwrite_edited: bool,
) -> None:
    problems = []
    for name in sorted(there):
        content = there[name]
        if not (folder / name).parent.resolve().is_relative_to(folder.resolve()):
            problems.append(f"  {name} is outside of the folder.")
        if content is None or (name in files and files[name].encode() == content):
            continue
        if name not in known:
            problems.append(f"  {name} is there, and `tableapi pipeline build` did not write it. Move or remove it.")
        elif _digest(content) not in known[name] and not overwrite_edited:
            problems.append(f"  {name} was edited. Take the change over into the project, or use --overwrite-edited.")
    if problems:
        raise ProjectError(f"The pipeline cannot be written to {folder}. Nothing was changed.\n" + "\n".join(problems))


def _read_manifest(folder: Path) -> dict[str, list[str]]:
    path = folder / MANIFEST
    try:
        found = json.loads(path.read_text("utf-8"))
        if found["format"] != _FORMAT:
            raise ProjectError(f"{path} is of another version of tableapi. Nothing was changed.")
        return {
            str(name): [str(digest) for digest in digests]
            for name, digests in found["files"].items()
            if not Path(name).is_absolute() and ".." not in Path(name).parts
        }
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise ProjectError(
            f"{path} is damaged. It names the files that were written. Nothing was changed: write into an empty "
            "folder, or remove the files of the old pipeline."
        ) from None


def _write_manifest(folder: Path, files: Mapping[str, list[str]]) -> None:
    text = json.dumps({"format": _FORMAT, "files": dict(sorted(files.items()))}, indent=1)
    _replace(folder, folder / MANIFEST, f"{text}\n".encode())


def _replace(folder: Path, path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Spark refuses other files than .sql and .py beside the definitions, so that the partial file is at the top.
    partial = folder / f".tableapi-{secrets.token_hex(8)}.tmp"
    try:
        with partial.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def _remove(folder: Path, path: Path) -> None:
    path.unlink(missing_ok=True)
    # A folder that is empty now was of this file; one with other files stays.
    with contextlib.suppress(OSError):
        for parent in path.parents:
            if parent == folder:
                break
            parent.rmdir()


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ProjectError(f"{path} cannot be read: {error.strerror}. Nothing was changed.") from None


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
