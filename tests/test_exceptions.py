"""Exceptions are displayed, and available, under the module from which users import them."""

from __future__ import annotations

import pickle
from importlib.metadata import version

import pytest

import tableapi
from tableapi import exceptions


@pytest.mark.parametrize("name", exceptions.__all__)
def test_shown_by_the_name_by_which_it_is_imported(name: str) -> None:
    raised = getattr(exceptions, name)
    assert f"{raised.__module__}.{raised.__qualname__}" == f"tableapi.exceptions.{name}"
    again = pickle.loads(pickle.dumps(raised("what is wrong")))
    assert type(again) is raised
    assert str(again) == "what is wrong"


def test_every_exception_of_the_package_is_of_the_module() -> None:
    found = {name for name in tableapi.__all__ if name.endswith(("Exception", "Warning"))}
    assert found <= set(exceptions.__all__)


def test_version() -> None:
    assert tableapi.__version__ == version("tableapi")
