"""Modules that are loaded with their first use are the same for type checkers and at run time."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import pytest

from tableapi.lazy import lazy
from tests.house.measures import imports_inside_functions
from tests.house.sources import SourceFile, read_sources


def _blocks(source: SourceFile) -> Iterator[ast.If]:
    for node in source.tree.body:
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            yield node


def _imported(block: ast.If) -> dict[str, str]:
    """Return the modules that a block may import for type checkers, by the names that they get."""
    found = {}
    for node in block.body:
        if isinstance(node, ast.Import):
            found |= {alias.asname or alias.name: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return found


def _lazy(block: ast.If) -> dict[str, str]:
    """Return the modules that a block loads with their first use, by the names that they get."""
    found = {}
    for node in block.orelse:
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(
                    func=ast.Name(id="lazy"), args=[ast.Name(id="__name__"), ast.Constant(value=str(module))]
                ),
            ):
                found[name] = module
    return found


# The module of ``lazy`` itself has an example.
_SOURCES = [s for s in read_sources().values() if "lazy(__name__" in s.text and s.module != "tableapi.lazy"]


@pytest.mark.parametrize("source", _SOURCES, ids=lambda source: source.module)
def test_type_checkers_see_the_modules_that_are_loaded(source: SourceFile) -> None:
    loaded = [(name, module, _imported(block)) for block in _blocks(source) for name, module in _lazy(block).items()]
    assert len(loaded) == source.text.count("lazy(__name__")
    for name, module, imported in loaded:
        assert imported.get(name) == module
        assert find_spec(module) is not None


@pytest.mark.slow
def test_only_workers_import_inside_functions() -> None:
    sources = [s for s in read_sources().values() if s.package == "tableapi"]
    found = {finding.module for source in sources for finding in imports_inside_functions(source)}
    assert {module for module in found if not module.startswith("tableapi.spark.runtime.")} == set()


def test_a_lazy_module_is_replaced_by_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    importer: Any = ModuleType("importer")
    monkeypatch.setitem(sys.modules, "importer", importer)
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    importer.colours = stand_in = lazy("importer", "colorsys")
    with pytest.raises(AttributeError):
        stand_in.__wrapped__  # noqa: B018  # the attribute is what is tested
    assert "colorsys" not in sys.modules
    assert stand_in.rgb_to_hsv(0, 0, 0) == (0.0, 0.0, 0)
    assert importer.colours is sys.modules["colorsys"]
