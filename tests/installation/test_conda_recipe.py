"""The recipe of the conda package says what ``pyproject.toml`` says."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import tableapi

ROOT = Path(__file__).parents[2]
RECIPE: dict[str, Any] = yaml.safe_load((ROOT / "conda" / "recipe.yaml").read_text(encoding="utf-8"))


def _spelled(requirements: list[str]) -> set[str]:
    """Return requirements without spaces and markers, which a recipe for all Pythons has none of."""
    return {requirement.partition(";")[0].replace(" ", "") for requirement in requirements}


@pytest.mark.skipif(sys.version_info < (3, 11), reason="tomllib is of Python 3.11")
def test_the_recipe_has_the_requirements_of_the_package() -> None:
    import tomllib

    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project, needs = declared["project"], RECIPE["requirements"]
    run = _spelled(needs["run"]) - {"python>=${{python_min}}"}
    assert run == _spelled(project["dependencies"])
    built = _spelled(needs["host"]) - {"pip", "python${{python_min}}.*"}
    assert built == _spelled(declared["build-system"]["requires"])
    assert project["requires-python"] == f">={RECIPE['context']['python_min']}"
    scripts = [f"{name} = {target}" for name, target in project["scripts"].items()]
    assert RECIPE["build"]["python"]["entry_points"] == scripts
    assert RECIPE["about"]["license"] == project["license"]


def test_the_recipe_has_the_version_of_the_package() -> None:
    assert RECIPE["context"]["version"] == tableapi.__version__.removesuffix(".dev0")
