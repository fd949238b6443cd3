"""The members of the central classes have examples that run."""

from __future__ import annotations

import doctest
import inspect

import pytest

from docs.public_api import PublicName, public_names
from docs.website.member_examples import FOLDER, SETUP, member_examples
from docs.website.program_code import examples
from tableapi import EnvironmentSettings, Table, TableEnvironment, TableException

CLASSES = {"TableEnvironment": TableEnvironment, "Table": Table}
# Their examples would start Spark. The tutorial and the pages about results and streams show them.
NEED_SPARK = {
    "TableEnvironment": {"create_table_as", "from_spark", "read_state", "spark"},
    "Table": {
        "cache",
        "execute",
        "execute_insert",
        "for_each_batch",
        "to_arrow",
        "to_arrow_batch_reader",
        "to_pandas",
        "to_spark",
    },
}


def _members(cls: str) -> list[PublicName]:
    start = f"tableapi.{cls}."
    return [name for name in public_names() if name.path.startswith(start) and name.kind in ("method", "property")]


def _is_refused(cls: str, name: str) -> bool:
    """Whether a member only says that there is nothing like it, which is its documentation."""
    te = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())
    owner = te if cls == "TableEnvironment" else te.from_elements([(1,)], ["a"])
    member = inspect.getattr_static(CLASSES[cls], name)
    if not callable(member) or "is not supported" in (member.__doc__ or ""):
        return False
    required = [
        one
        for one in list(inspect.signature(member).parameters.values())[1:]
        if one.default is one.empty and one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
    ]
    try:
        getattr(owner, name)(*[None] * len(required))
    except TableException as error:
        return f"{cls}.{name} is not supported" in str(error)
    except Exception:  # None is a wrong argument of a member that works
        return False
    return False


@pytest.mark.slow
@pytest.mark.parametrize("cls", CLASSES)
def test_every_member_has_an_example(cls: str) -> None:
    own = member_examples()[cls]
    missing = [
        name.path.rpartition(".")[2]
        for name in _members(cls)
        if ">>>" not in name.doc and name.path not in examples() and name.path.rpartition(".")[2] not in own
    ]
    assert {name for name in missing if not _is_refused(cls, name)} == NEED_SPARK[cls]


@pytest.mark.parametrize("cls", CLASSES)
def test_examples_run(cls: str) -> None:
    found = doctest.testfile(str(FOLDER / f"{cls}.txt"), module_relative=False, encoding="utf-8")
    assert found.attempted > 15
    assert not found.failed


@pytest.mark.parametrize("cls", CLASSES)
def test_no_example_is_left_over(cls: str) -> None:
    names = {name.path.rpartition(".")[2]: name for name in _members(cls)}
    own = set(member_examples()[cls]) - {SETUP}
    assert own <= set(names)
    assert [name for name in own if ">>>" in names[name].doc] == []
