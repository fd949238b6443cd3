"""Clients that bring a module pyspark of their own, such as databricks-connect."""

from __future__ import annotations

from importlib import metadata
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tableapi import TableEnvironment
from tableapi.exceptions import TableException
from tableapi.packages import named_extra
from tests.installation.environments import requirements


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory of a module pyspark without jars."""
    package = tmp_path / "site-packages" / "pyspark"
    package.mkdir(parents=True)
    found = ModuleSpec("pyspark", None, origin=str(package / "__init__.py"))
    monkeypatch.setattr("tableapi.spark.session.find_spec", lambda name: found)
    monkeypatch.setenv("TABLEAPI_HOME", str(tmp_path / "home"))
    return package


@pytest.fixture
def owner(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The project that brings the module pyspark, instead of the project pyspark."""
    known = metadata.distribution

    def distribution(name: str) -> metadata.Distribution:
        if name == "pyspark":
            raise metadata.PackageNotFoundError(name)
        return known(name)

    monkeypatch.setattr(metadata, "distribution", distribution)
    monkeypatch.setattr(metadata, "packages_distributions", lambda: {"pyspark": request.param} if request.param else {})
    return request.param


@pytest.mark.parametrize(
    ("owner", "whose", "builder"),
    [
        (["databricks-connect"], "of databricks-connect ", "DatabricksSession.builder"),
        (["pyspark-client"], "of pyspark-client ", "SparkSession.builder.remote(...)"),
        ([], "", "SparkSession.builder.remote(...)"),
    ],
    indirect=["owner"],
)
def test_a_client_has_no_embedded_session(
    owner: Any, whose: str, builder: str, client: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Another test of this process may have started the embedded session.
    monkeypatch.setattr("tableapi.spark.session._embedded", None)
    with pytest.raises(TableException) as raised:
        TableEnvironment.create().from_elements([(1,)]).execute()
    assert str(raised.value) == (
        f"The module pyspark {whose}in {client} is a client without Spark, so that no embedded session can start. "
        f"Pass a session on: TableEnvironment.create(spark={builder}.getOrCreate())."
    )
    assert not (client.parents[1] / "home").exists()


def test_pyspark_is_no_requirement() -> None:
    # pip would install it over the module of the client.
    assert not [each for each in requirements() if each.startswith("pyspark")]


@pytest.mark.parametrize("owner", [["databricks-connect"]], indirect=True)
@pytest.mark.parametrize(
    ("package", "advice"),
    [
        ("pandas", "is not installed for this Python: {python} -m pip install pandas"),
        ("grpc", "is not installed for this Python: {python} -m pip install grpcio"),
        ("pyarrow", "comes with the extra 'arrow' of tableapi: {python} -m pip install 'tableapi[arrow]'"),
    ],
)
def test_no_advice_would_install_pyspark_over_a_client(
    owner: Any, package: str, advice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", "/python")
    found = __import__("importlib.util").util.find_spec
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == package else found(name))
    told = named_extra(
        ModuleNotFoundError(f"No module named {package!r}", name=f"{package}.x"), TableEnvironment.create
    )
    assert str(told) == f"create needs the package {package}, which {advice.format(python='/python')}"


def test_other_missing_modules_keep_their_error() -> None:
    for error in (
        ModuleNotFoundError("No module named 'mine'", name="mine"),
        # A module that this version of an installed package lacks.
        ModuleNotFoundError("No module named 'pyspark.later'", name="pyspark.later"),
        ImportError("cannot import name 'later' from 'pyspark'", name="pyspark"),
    ):
        assert named_extra(error, TableEnvironment.create) is error


def test_a_package_that_pyspark_misses_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/python")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "pandas" else find_spec(name))
    error = ImportError("[PACKAGE_NOT_INSTALLED] Pandas >= 2.2.0 must be installed; however, it was not found.")
    error.__cause__ = ModuleNotFoundError("No module named 'pandas'", name="pandas")
    assert str(named_extra(error, TableEnvironment.create)) == (
        "create needs the package pandas, which comes with the extra 'spark' of tableapi: "
        "/python -m pip install 'tableapi[spark]'"
    )
