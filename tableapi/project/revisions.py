"""Reads the files of a project at a revision in git."""

from __future__ import annotations

import posixpath
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from tableapi.project.configuration import FILE_NAME, ProjectError


def git(folder: Path, *arguments: str) -> bytes:
    """Run a git command and return its output.

    Raises:
        ProjectError: git is not installed, or the command fails.
    """
    try:
        done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=False)
    except OSError:
        raise ProjectError("A revision is read with git, which is not installed.") from None
    if done.returncode != 0:
        raise ProjectError(f"git {' '.join(arguments[:2])} fails: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def commit_of(folder: Path, revision: str) -> str:
    """Return the commit that a revision means, so that no option of git is taken from its name.

    Raises:
        ProjectError: git is not installed, the folder is in no repository, or there is no such revision.
    """
    git(folder, "rev-parse", "--git-dir")
    try:
        return (
            git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
            .decode()
            .strip()
        )
    except ProjectError:
        raise ProjectError(
            f"There is no revision {revision!r} in the repository of {folder}. A revision is a commit, branch or tag, "
            "such as HEAD or origin/main; a branch of a remote is there after git fetch."
        ) from None


def _without_foreign_links(member: tarfile.TarInfo, folder: str) -> tarfile.TarInfo | None:
    """Return the archive member to extract for a file, None for a link out of the folder, which no view needs."""
    try:
        return tarfile.data_filter(member, folder)
    except tarfile.FilterError:
        if member.issym() or member.islnk():
            return None
        raise


def _extract(archive: tarfile.TarFile, place: Path) -> None:
    """Write the files of an archive of git, without links out of the folder."""
    if hasattr(tarfile, "data_filter"):
        archive.extractall(place, filter=_without_foreign_links)
        return
    # Python has had filters since 3.11.4 and 3.10.12. Git writes no names out of the folder, and symbolic links alone.
    archive.extractall(place, [member for member in archive.getmembers() if not _leads_out(member)])


def _leads_out(member: tarfile.TarInfo) -> bool:
    """Whether a member of an archive is a link out of the folder."""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(member.name), member.linkname))
    return member.issym() and (target == ".." or target.startswith(("/", "../")))


@contextmanager
def files_at(root: Path, revision: str) -> Iterator[Path]:
    """Write the files of a project as they are at a revision into a temporary folder, and yield the folder.

    Args:
        root: the folder of the project, in a work tree of git.
        revision: a commit, branch or tag, such as ``origin/main``.

    Raises:
        ProjectError: git is not installed, there is no such revision, or the project was not there at that time.
    """
    commit = commit_of(root, revision)
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        with tarfile.open(fileobj=BytesIO(git(root, "archive", "--format=tar", commit, "--", "."))) as archive:
            _extract(archive, place)
        if not (place / FILE_NAME).is_file():
            raise ProjectError(f"The revision {revision} has no {FILE_NAME} in {root}.")
        yield place
