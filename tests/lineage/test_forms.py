"""The forms of a lineage: OpenLineage's official classes accept the facet, and diagrams name every field."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest
from openlineage.client.generated.column_lineage_dataset import (
    ColumnLineageDatasetFacet,
    Fields,
    InputField,
    Transformation,
)
from openlineage.client.serde import Serde

from tableapi import EnvironmentSettings, Table, TableEnvironment
from tableapi.exceptions import ValidationException

_STATEMENTS = (
    "CREATE TABLE orders (id INT, status STRING, amount INT, a STRUCT<city: STRING>, items ARRAY<STRUCT<x: INT>>) "
    "USING parquet LOCATION '/orders'",
    "CREATE VIEW paid AS SELECT id, amount, a, items FROM orders WHERE status = 'paid'",
)


@pytest.fixture
def table() -> Table:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory")
    env = TableEnvironment.create(settings.build())
    for statement in _STATEMENTS:
        env.execute_sql(statement)
    return env.sql_query(
        "SELECT a.city AS `the city`, SUM(amount) AS total, MAX(items[0].x) AS x FROM paid GROUP BY a.city "
        "ORDER BY total LIMIT 3"
    )


def _facet(document: dict[str, Any]) -> ColumnLineageDatasetFacet:
    """Return the official object; its classes reject unknown and missing members."""

    def inputs(given: list[dict[str, Any]]) -> list[InputField]:
        made = []
        for one in given:
            transformations = [Transformation(**each) for each in one["transformations"]]
            made.append(InputField(**{**one, "transformations": transformations}))
        return made

    fields = {name: Fields(inputFields=inputs(one["inputFields"])) for name, one in document["fields"].items()}
    return ColumnLineageDatasetFacet(fields=fields, dataset=inputs(document["dataset"]))


@pytest.mark.parametrize("through_views", [False, True])
def test_the_official_classes_accept_the_facet(table: Table, through_views: bool) -> None:
    document = table.lineage().to_openlineage("warehouse", through_views=through_views)
    official = _facet(document)
    assert official._schemaURL == document["_schemaURL"]
    again = json.loads(Serde.to_json(official))
    assert again["fields"] == document["fields"]
    assert again["dataset"] == document["dataset"]
    read = {one.name for field in official.fields.values() for one in field.inputFields}
    assert read == {"default_database.orders" if through_views else "default_database.paid"}
    assert {one.field for one in official.fields["x"].inputFields} == {"items._element.x"}
    subtypes = {(one.field, each.subtype) for one in official.dataset or [] for each in one.transformations or []}
    expected = {("a.city", "GROUP_BY"), ("amount", "SORT")}
    assert subtypes == (expected | {("status", "FILTER")} if through_views else expected)


def test_diagrams_have_every_field_and_step(table: Table) -> None:
    lineage = table.lineage()
    fields = {field for step in lineage.steps for field in (step.source, step.target)}
    for text in (lineage.to_dot(), lineage.to_mermaid()):
        assert text.count("->") == len(lineage.steps)
        assert all(field.column_text.replace("`", "#96;") in text.replace("`", "#96;") for field in fields)
    picture = ElementTree.fromstring(lineage.to_svg())
    assert len([element for element in picture.iter() if element.tag.endswith("path")]) == len(lineage.steps)
    assert "<script" not in lineage._repr_html_()


def test_a_picture_suits_light_and_dark_pages(table: Table) -> None:
    picture = ElementTree.fromstring(table.lineage().to_svg())
    page = next(element for element in picture.iter() if element.tag.endswith("rect"))
    assert page.attrib["fill"] == "white"
    assert page.attrib["style"] == "fill: var(--jp-layout-color0, var(--vscode-editor-background, white))"


def test_names_in_a_picture_are_text() -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory")
    te = TableEnvironment.create(settings.build())
    te.create_view("odd", te.from_elements([(1, 2)], ["$a$<b>", "\x00"]))
    lineage = te.from_path("odd").lineage()
    page = lineage._repr_html_()
    ElementTree.fromstring(lineage.to_svg())
    assert "<b>" not in page
    assert "$" not in page
    assert "\x00" not in page


def test_a_query_over_no_table_shows_text_in_a_notebook() -> None:
    assert TableEnvironment.create().sql_query("SELECT 1 AS `<b>`").lineage()._repr_html_().count("&lt;b&gt;") == 1


def test_traces_cross_views_in_both_directions(table: Table) -> None:
    lineage = table.lineage()
    found = {str(one.field): one.distance for one in lineage.upstream("total").found if not one.through_rows}
    assert found == {"paid.amount": 1, "orders.amount": 2}
    down = {str(one.field): one.influence_text for one in lineage.downstream("orders.status").found}
    assert down == {"paid (rows)": "filter", "query (rows)": "filter"}
    assert {str(one.field) for one in lineage.downstream("orders.amount", depth=1).found} == {"paid.amount"}
    document = lineage.to_json()
    assert {*document["columns"]} == {"the city", "total", "x"}
    json.dumps(document)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("order.id", "Did you mean 'orders'"),
        ("orders.amuont", "Did you mean 'amount'"),
        ("orders.a.cty", "Did you mean 'city'"),
        ("orders.id.x", "has no parts"),
    ],
)
def test_unknown_names_are_refused_with_the_nearest(table: Table, name: str, message: str) -> None:
    with pytest.raises(ValidationException, match=message):
        table.lineage().downstream(name)


@pytest.mark.parametrize("depth", [0, -1, True, "1", 1.5])
def test_a_depth_is_a_whole_number_from_1(table: Table, depth: Any) -> None:
    lineage = table.lineage()
    for trace in (lineage.upstream, lambda depth: lineage.downstream("orders.id", depth)):
        with pytest.raises(ValidationException, match=re.escape(f"was given {depth!r}.")):
            trace(depth=depth)


def test_bodies_of_sql_functions_are_followed() -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory")
    env = TableEnvironment.create(settings.build())
    env.execute_sql(_STATEMENTS[0])
    env.execute_sql("CREATE TEMPORARY FUNCTION most() RETURNS INT RETURN (SELECT MAX(amount) FROM orders)")
    found = env.sql_query("SELECT id, most() AS m FROM orders").lineage().upstream("m").found
    assert [(str(one.field), one.influence_text) for one in found] == [("orders.amount", "aggregation")]
