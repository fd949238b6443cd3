"""The home directory."""

from __future__ import annotations

from pathlib import Path

import pytest

from ir.errors import TableException
from tableapi.spark.home import tableapi_home


def test_variable_names_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TABLEAPI_HOME", str(tmp_path / "home"))
    assert tableapi_home() == tmp_path / "home"


@pytest.mark.parametrize("environ", [{}, {"TABLEAPI_HOME": ""}])
def test_default_is_the_users_data_directory(environ: dict[str, str]) -> None:
    home = tableapi_home(environ)
    assert home.is_absolute()
    assert home.name == "tableapi"


def test_user_directory_is_expanded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/someone")
    assert tableapi_home({"TABLEAPI_HOME": "~/views"}) == Path("/home/someone/views")


def test_dots_are_removed() -> None:
    assert tableapi_home({"TABLEAPI_HOME": "/srv/a/../views/"}) == Path("/srv/views")


@pytest.mark.parametrize("given", ["views", "./views", "../views"])
def test_relative_is_refused(given: str) -> None:
    with pytest.raises(TableException, match=r"TABLEAPI_HOME='.*' is a relative path.*TABLEAPI_HOME=/"):
        tableapi_home({"TABLEAPI_HOME": given})


def test_unknown_user_is_refused() -> None:
    with pytest.raises(TableException, match="cannot be expanded"):
        tableapi_home({"TABLEAPI_HOME": "~nobody-of-this-name/views"})
