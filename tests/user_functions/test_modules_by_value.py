"""Which modules are sent to workers with the code of functions."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest
from pyspark import cloudpickle

from tableapi.spark.python_functions import pickle_user_code_by_value


def _import(monkeypatch: pytest.MonkeyPatch, folder: Path, name: str) -> None:
    path = folder.joinpath(*name.split("."))
    path.mkdir(parents=True)
    (path / "__init__.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, name, raising=False)
    importlib.import_module(name)


def test_a_module_of_the_user_is_sent_also_under_two_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _import(monkeypatch, tmp_path, "project_of_a_user")
    monkeypatch.setitem(sys.modules, "its_old_name", sys.modules["project_of_a_user"])
    with pickle_user_code_by_value():
        assert "project_of_a_user" in cloudpickle.list_registry_pickle_by_value()  # type: ignore[attr-defined]  # not in its stubs
    assert "project_of_a_user" not in cloudpickle.list_registry_pickle_by_value()  # type: ignore[attr-defined]  # not in its stubs


def test_the_pyspark_of_a_platform_is_not_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A platform has PySpark in a folder that is no place of installed packages."""
    of_platform = tmp_path / "spark" / "python" / "pyspark" / "more.py"
    of_platform.parent.mkdir(parents=True)
    of_platform.write_text("", encoding="utf-8")
    spec = importlib.util.spec_from_file_location("pyspark.more", of_platform)
    assert spec is not None
    monkeypatch.setitem(sys.modules, "pyspark.more", importlib.util.module_from_spec(spec))
    with pickle_user_code_by_value():
        assert "pyspark.more" not in cloudpickle.list_registry_pickle_by_value()  # type: ignore[attr-defined]  # not in its stubs
