"""Wrong documents are refused with a JSON pointer and what is accepted; forged ones never become an ill-typed tree."""

from __future__ import annotations

import contextlib
import copy
import json
import random
from collections.abc import Callable
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir.errors import TableException, TreeJsonException
from ir.operations.operation import QueryOperation
from ir.operations.source import ReadOptions, Source
from serializer.tree_json import VERSION
from tableapi import Table
from tableapi.expressions import CURRENT_ROW, array, call, col, lit, row_interval
from tableapi.window import Over
from tests.metamorphic.corpus import AROUND, read, tree, tree_names
from tests.programs.tables import Tables, environment_without_spark

TABLES = Tables(environment_without_spark())
Change = Callable[[dict[str, Any]], Any]


def _query() -> QueryOperation:
    """Return ``SELECT x + 1, … FROM left_bag WHERE x > 1``."""
    rows = TABLES.left_bag.filter(col("x") > 1)
    return rows.select(
        (col("x") + 1).alias("z"), lit("a").alias("s"), call("upper", col("y")).alias("u")
    ).query_operation


def _resolve(document: Any, pointer: str) -> Any:
    """Return the part of a document at a JSON pointer (RFC 6901)."""
    for step in pointer.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        document = document[int(key) if isinstance(document, list) else key]
    return document


def _refusal(change: Change) -> str:
    document = json.loads(_query().to_json())
    change(document)
    with pytest.raises(TreeJsonException) as caught:
        QueryOperation.from_json(json.dumps(document))
    _resolve(document, caught.value.pointer)
    return str(caught.value).removeprefix("The JSON of the query is invalid")


def _node(document: dict[str, Any], name: str, number: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = [node for node in document["nodes"] if node["node"] == name][number]
    return found


def _set(node: str, /, **fields: Any) -> Change:
    """Change fields of an operation or expression."""
    return lambda document: _node(document, node).update(fields)


def _delete(name: str, field: str) -> Change:
    return lambda document: _node(document, name).pop(field)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "The text is not JSON: Expecting value (line 1, column 1)."),
        ("{\n  'a'", "The text is not JSON: Expecting property name enclosed in double quotes (line 2, column 3)."),
        ("[]", "The JSON of the query is invalid: An object is expected, but an array was given."),
        ("{}", "at /document: The string 'tableapi query tree' is expected, but null was given."),
        ('{"a": 1, "a": 2}', "The object has the field 'a' twice."),
        ('{"types": [{"a": 1, "b": 2, "b": 3}]}', "at /types/0: The object has the field 'b' twice."),
        ('{"a": {"b": 1, "b": 2}, "a": 3}', "invalid: The object has the field 'a' twice."),
        ('{"document": NaN}', "at /document: The string 'tableapi query tree' is expected, but the number NaN was"),
        ("[" * 100_000, "its objects are nested too deeply"),
        ('{"a": ' + "9" * 5000 + "}", "a number has too many digits"),
        (None, "A JSON document is a string, but a NoneType was given."),
        (b"{}", "A JSON document is a string, but a bytes was given."),
    ],
)
def test_texts_that_are_no_documents(text: Any, message: str) -> None:
    with pytest.raises(TreeJsonException) as caught:
        QueryOperation.from_json(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda d: d.update(version=VERSION + 1),
            f" at /version: The version {VERSION + 1} of the document is unknown; accepted is {VERSION}.",
        ),
        (lambda d: d.update(version="1"), " at /version: The version '1' of the document is unknown; accepted is 1."),
        (lambda d: d.update(version=True), " at /version: The version True of the document is unknown"),
        (lambda d: d.update(nods=[]), " at /nods: Unknown field of the document 'nods'; accepted are "),
        (lambda d: d.update(nods=[]), "Did you mean 'nodes'?"),
        (lambda d: d.pop("types"), ": The field 'types' of the document is missing."),
        (lambda d: d.update(types={}), " at /types: An array is expected, but an object was given."),
        (
            lambda d: d.update(root="0"),
            ' at /root: The number of an operation in nodes is expected, but the string "0" was',
        ),
        (
            lambda d: d.update(root=1),
            " at /root: The number of an operation is expected, but /nodes/1 is a FieldReference.",
        ),
        (lambda d: d.update(root=0), " at /nodes/9: The node is not a part of the query, or equals an earlier node."),
        (
            lambda d: d["types"].append({"type": "INTEGER"}),
            "at /types/5/type: Unknown type 'INTEGER'; accepted are [ARRAY, BIGINT,",
        ),
        (
            lambda d: d["types"].append({"type": "DECIMAL", "precision": 40, "scale": 2}),
            " at /types/5: DECIMAL(40, 2) is not a type: the precision goes from 1 to 38",
        ),
        (lambda d: d["types"].append({"type": "CHAR"}), " at /types/5: The field 'length' of CHAR is missing."),
        (
            lambda d: d["types"].append({"type": "ARRAY", "element": 5}),
            " at /types/5/element: The number of a type in types is expected, but 5 was given. There are 5 before this "
            "place, and a part refers to earlier ones only.",
        ),
        (
            lambda d: d["types"].append({"type": "INT", "nullable": 1}),
            " at /types/5/nullable: true or false is expected",
        ),
        (
            lambda d: d["schemas"].append({"columns": [{"name": "a", "type": 0}, {"name": "A", "type": 0}]}),
            " at /schemas/2: Ambiguous column name: A, a",
        ),
        (
            lambda d: d["schemas"][0]["columns"][1].update(nam="b"),
            " at /schemas/0/columns/1/nam: Unknown field of Column 'nam'; accepted are [comment, name, type]. Did",
        ),
        (
            lambda d: d["functions"][0].update(name="greaterThn"),
            " at /functions/0/name: Unknown built-in function 'greaterThn'. Did you mean 'greaterThan'?",
        ),
        (
            lambda d: d["functions"][0].update(name="GREATERTHAN"),
            "Did you mean 'greaterThan'?",
        ),
        (
            lambda d: d["functions"][0].update(kind="TABLE"),
            " at /functions/0/kind: 'SCALAR', the kind of greaterThan, is expected, but the string \"TABLE\" was",
        ),
        (
            lambda d: d["functions"][0].update(kind="SCALR"),
            "Unknown kind of function 'SCALR'; accepted are [SCALAR,",
        ),
        (
            lambda d: d["functions"][0].update(function="builtin"),
            "'builtin'; accepted are [built-in, user-defined]. Did",
        ),
        (_set("Filter", node="Filtr"), "/node: Unknown node 'Filtr'; accepted are ["),
        (_set("Filter", node="InlineSource"), "/node: Unknown node 'InlineSource'"),
        (_delete("Filter", "condition"), ": The field 'condition' of Filter is missing."),
        (_delete("Filter", "schema"), ": The field 'schema' of Filter is missing."),
        (
            _set("Filter", conditio=3),
            "/conditio: Unknown field of Filter 'conditio'; accepted are [condition, input, node, schema",
        ),
        (
            _set("Filter", condition=1),
            " at /nodes/4: A filter requires a condition of type BOOLEAN, but x is of type INT.",
        ),
        (
            _set("Filter", condition=4),
            " at /nodes/4/condition: The number of an expression in nodes is expected, but 4 was",
        ),
        (_set("Project", names=["z", "s"]), ": The Project needs 3 names, but 2 were given."),
        (_set("Project", names=["z", "s", 1]), "/names/2: A string is expected, but the number 1 was given."),
        (_set("Filter", schema=1), "/schema: The columns of the Filter are (`x` INT, `y` STRING), but (`z` "),
        (_set("Call", type=0), ": greaterThan(x, 1) is of type BOOLEAN, but INT was given."),
        (_set("Call", function=1), ": plus(x, 1) is of type INT, but BOOLEAN was given."),
        (
            _set("FieldReference", index=1),
            ": The column at position 1 of the input is `y` STRING, but the reference is to 'x'",
        ),
        (_set("FieldReference", index=7), ": The column 'x' has the position 7, but the input has 2 columns."),
        (
            _set("FieldReference", input_index=1),
            ": The column 'x' is of the input 1, but the inputs of this field are numbered 0 to 0.",
        ),
        (
            _set("FieldReference", type=1),
            "The column at position 0 of the input is `x` INT, but the reference is to 'x' of",
        ),
        (
            _set("FieldReference", name="X"),
            "The column at position 0 of the input is `x` INT, but the reference is to 'X'",
        ),
        (
            _set("ValueLiteral", value="1"),
            '/value: A whole number, for a value of INT, is expected, but the string "1" was',
        ),
        (
            _set("ValueLiteral", value=2**31),
            "/value: The int 2147483648 is not a value of INT: accepted are whole numbers",
        ),
        (
            _set("ValueLiteral", value=1.5),
            "/value: A whole number, for a value of INT, is expected, but the number 1.5 was",
        ),
        (
            _set("ValueLiteral", value=True),
            "/value: A whole number, for a value of INT, is expected, but the boolean true",
        ),
        (_set("ValueLiteral", value=None), ": A NULL literal cannot have the type INT NOT NULL."),
        (_set("ValueLiteral", type=0), "/type: A literal that is not NULL is NOT NULL, but its type is INT."),
        (
            lambda d: d["nodes"].insert(0, d["nodes"].pop(1)),
            "/arguments/0: The number of an expression is expected, but",
        ),
        (lambda d: d["nodes"].append(dict(d["nodes"][0])), " at /nodes/10: The node is not a part of the query, or"),
        (
            lambda d: d.update(names={"step": []}),
            " at /names/step: Unknown field of names 'step'; accepted are [",
        ),
        (
            lambda d: d.update(names={"steps": [{"operation": 1, "name": "a"}]}),
            " at /names/steps/0/operation: The number of an operation is expected, but /nodes/1 is a FieldReference.",
        ),
        (
            lambda d: d.update(names={"aliases": [{"operation": 0, "input": 9, "name": "a"}]}),
            " at /names/aliases/0/input: The number of an input is expected, but the number 9 was given.",
        ),
        (
            lambda d: d.update(names={"sort_keys": [{"operation": 0, "column": 9}]}),
            " at /names/sort_keys/0/column: The number of a column is expected, but the number 9 was given.",
        ),
    ],
)
def test_wrong_parts_are_named(change: Change, message: str) -> None:
    assert message in _refusal(change)


def _refusal_of(table: Table, change: Change) -> str:
    document = json.loads(table.to_tree_json())
    change(document)
    with pytest.raises(TreeJsonException) as caught:
        table.query_operation.from_json(json.dumps(document))
    return str(caught.value)


NUMBERS = TABLES.env.from_elements([(1, 2)], ["a", "b"])
JOINED = NUMBERS.left_outer_join(NUMBERS.alias("c", "d"), col("a") == col("c"))


@pytest.mark.parametrize(
    ("table", "change", "message"),
    [
        (JOINED, _set("Join", join_type="LEFT"), "Unknown JoinType 'LEFT'; accepted are [INNER, LEFT_OUTER, RIGHT"),
        (JOINED, _set("Join", join_type="INNER"), "The columns of the Join are (`a` INT NOT NULL, `b` INT NOT NULL"),
        (
            JOINED,
            _set("FieldReference", input_index=1),
            "The column 'a' is of the input 1, but the inputs of this field are numbered 0 to 0.",
        ),
        (NUMBERS.limit(3), _set("Sort", fetch=-1), "The fetch must be a whole number from 0 to 2147483647, but is -1."),
        (NUMBERS.limit(3), _delete("Sort", "fetch"), "A Sort has an order, an offset or a fetch."),
        (NUMBERS, _set("Values", rows=[[0]]), "Row 0 has 1 values where the schema has 2 columns."),
        (NUMBERS, _set("Values", rows=[]), "Values without rows have nullable columns."),
        (
            TABLES.left_bag.group_by(col("x")).select(col("x"), col("x").max.alias("n")),
            lambda d: _node(d, "Aggregate").update(aggregates=[d["nodes"].index(_node(d, "FieldReference"))]),
            "x is not an aggregate.",
        ),
        (
            NUMBERS.select(col("a").sum.over(Over.partition_by(col("b"))).alias("n")),
            lambda d: _node(d, "Project").update(projections=[d["nodes"].index(_node(d, "Call"))]),
            "SUM is a function of kind AGGREGATE, which cannot be called here.",
        ),
        (
            NUMBERS.hint("broadcast"),
            _set("Hint", name="MAPJOIN"),
            "The name of the hint is 'BROADCAST', but 'MAPJOIN' was",
        ),
    ],
)
def test_wrong_parts_of_other_queries(table: Table, change: Change, message: str) -> None:
    assert message in _refusal_of(table, change)


def _bound_of_another_type(document: dict[str, Any]) -> None:
    document["types"].append({"type": "TINYINT", "nullable": False})
    (bound,) = (node for node in document["nodes"] if node["node"] == "ValueLiteral" and node["value"] == 3)
    bound["type"] = len(document["types"]) - 1


def _pivot_of_a_column(document: dict[str, Any]) -> None:
    pivot = _node(document, "Pivot")
    pivot["aggregates"] = _node(document, "Call")["arguments"]
    for column in document["schemas"][pivot["schema"]]["columns"]:
        column["type"] = len(document["types"])
    document["types"].append({"type": "INT"})


def _join_on_a_random_number(document: dict[str, Any]) -> None:
    document["functions"].append({"function": "built-in", "name": "rand", "kind": "SCALAR"})
    document["types"].append({"type": "DOUBLE", "nullable": False})
    join = document["nodes"].pop()
    document["nodes"] += [
        {
            "node": "Call",
            "function": len(document["functions"]) - 1,
            "arguments": [],
            "type": len(document["types"]) - 1,
        },
        {**_node(document, "Call"), "function": 0, "arguments": [len(document["nodes"])] * 2},
        {**join, "condition": len(document["nodes"]) + 1},
    ]
    document["root"] = len(document["nodes"]) - 1


def _nullable_values(document: dict[str, Any]) -> None:
    for column in document["schemas"][0]["columns"]:
        column["type"] = len(document["types"])
    document["types"].append({"type": "INT"})


def _recursion_without_null(document: dict[str, Any]) -> None:
    recursion = _node(document, "Recursion")
    recursion["schema"] = len(document["schemas"])
    document["schemas"].append({"columns": [{"name": "n", "type": 0}]})


def _reference_alone(document: dict[str, Any]) -> None:
    document.update(nodes=[_node(document, "RecursiveReference")], root=0)
    del document["names"]


CORRELATED = TABLES.env.sql_query(
    "SELECT * FROM VALUES (1) AS o(x) WHERE EXISTS (SELECT 1 FROM VALUES (1) AS t(k) WHERE k = o.x)"
)
RECURSIVE = TABLES.env.sql_query(
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT n FROM r"
)
RUNNING = NUMBERS.select(col("a").sum.over(Over.order_by(col("a"))).alias("n"))
DEFAULT_FRAME = {"unit": "RANGE", "lower": {"direction": "PRECEDING"}, "upper": {"direction": "CURRENT_ROW"}}
THREE_ROWS = Over.partition_by(col("b")).order_by(col("a")).preceding(row_interval(3)).following(CURRENT_ROW)
PIVOTED = TABLES.env.sql_query("SELECT * FROM VALUES (1, 2) AS t(a, b) PIVOT (SUM(a) FOR b IN (1, 2))")


@pytest.mark.parametrize(
    ("table", "change", "pointer", "message"),
    [
        (
            NUMBERS.filter(col("a") > 1).order_by(col("a")),
            _set("SortOrder", expression=0),
            "/nodes/7",
            "The sort key 1 is a constant, which orders nothing. Omit it.",
        ),
        (
            NUMBERS.select(col("a").sum.over(THREE_ROWS).alias("n")),
            _bound_of_another_type,
            "/nodes/8",
            "A number of rows is an INT, but 3 is TINYINT NOT NULL.",
        ),
        (
            PIVOTED,
            _pivot_of_a_column,
            "/nodes/9",
            "pivot takes aggregates, but the column a is outside of one.",
        ),
        (JOINED, _join_on_a_random_number, "/nodes/10", "The join condition holds rand()"),
        (NUMBERS, _nullable_values, "/nodes/2", "The values of the column `a` INT are of the type INT NOT NULL."),
        (
            CORRELATED,
            _set("OuterReference", name="z"),
            "/nodes/10",
            "The subquery of exists refers to the column 'z' of",
        ),
        (RUNNING, _set("Over", frame=DEFAULT_FRAME), "/nodes/6", "over(sum(a), order: [asc(a)], frame: [RANGE BETWEEN"),
        (RECURSIVE, _recursion_without_null, "/nodes/10", "The Recursion does not follow from its inputs: its columns"),
        (RECURSIVE, _reference_alone, "/root", "The recursive reference 'r' is outside of its recursion."),
    ],
    ids=[
        "constant-key",
        "rows-of-another-type",
        "pivot-of-a-column",
        "random-condition",
        "nullable-values",
        "outer-column",
        "default-frame",
        "recursion",
        "reference-alone",
    ],
)
def test_trees_that_no_query_has(table: Table, change: Change, pointer: str, message: str) -> None:
    document = json.loads(table.to_tree_json())
    change(document)
    with pytest.raises(TreeJsonException) as caught:
        QueryOperation.from_json(json.dumps(document))
    assert caught.value.pointer == pointer
    assert str(caught.value).startswith(f"The JSON of the query is invalid at {pointer}: {message}")


def test_a_wrong_type_is_reported_at_the_innermost_call() -> None:
    nested = NUMBERS.select((((col("a") + 1) * 2) - 3).alias("n"))
    document = json.loads(nested.to_tree_json())
    calls = [number for number, node in enumerate(document["nodes"]) if node["node"] == "Call"]
    document["types"].append({"type": "STRING"})
    document["nodes"][calls[0]]["type"] = len(document["types"]) - 1
    with pytest.raises(TreeJsonException, match=r"plus\(a, 1\) is of type INT NOT NULL, but STRING") as caught:
        QueryOperation.from_json(json.dumps(document))
    assert caught.value.pointer == f"/nodes/{calls[0]}"


@pytest.mark.parametrize(
    ("number", "message"),
    [(4, "4 was given. There are 4 before this place"), (9, "9 was given. There are 4 before this place")],
    ids=["itself", "a-later-node"],
)
def test_cycles_cannot_be_written(number: int, message: str) -> None:
    assert message in _refusal(lambda d: d["nodes"][4].update(condition=number))


@pytest.mark.parametrize("key", ["a/b", "m~n", "~1", "", "ä"])
def test_pointers_escape_keys(key: str) -> None:
    document = {**json.loads(_query().to_json()), key: 1}
    with pytest.raises(TreeJsonException) as caught:
        QueryOperation.from_json(json.dumps(document))
    assert _resolve(document, caught.value.pointer) == 1


def test_a_variable_outside_of_its_lambda() -> None:
    table = NUMBERS.select(call("reduce", array(1, 2), 0, lambda total, e: total + e).alias("n"))
    document = json.loads(table.to_tree_json())
    body = _node(document, "Lambda")["body"]
    _node(document, "Project")["projections"] = [body]
    with pytest.raises(TreeJsonException, match="The lambda variable 'e' is outside of its lambda"):
        QueryOperation.from_json(json.dumps(document))


# --- forged documents ------------------------------------------------------------------------------------------------


def _spots(document: dict[str, Any]) -> list[tuple[Any, Any]]:
    """Return every place in the lists of a document, as a container and a key."""
    found: list[tuple[Any, Any]] = []
    pending: list[Any] = [document[key] for key in ("types", "schemas", "functions", "nodes")]
    while pending:
        value = pending.pop()
        keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
        for key in keys:
            found.append((value, key))
            pending.append(value[key])
    return found


def _forge(document: dict[str, Any], chance: random.Random, other: dict[str, Any]) -> None:
    """Change one value: leave it out, repeat it, or replace it, often by one that is valid elsewhere."""
    container, key = chance.choice(_spots(document))
    value = container[key]
    way = chance.random()
    if way < 0.1:
        del container[key]
    elif way < 0.15 and isinstance(container, list):
        container.insert(key, copy.deepcopy(value))
    elif isinstance(value, bool):
        container[key] = not value
    elif isinstance(value, int):
        container[key] = chance.choice([value - 1, value + 1, 0, chance.randrange(len(document["nodes"]))])
    elif isinstance(value, str):
        container[key] = chance.choice([v[k] for v, k in _spots(other) if k == key and isinstance(v[k], str)] or ["x"])
    else:
        container[key] = chance.choice([None, [], {}, 0, "x", True])


def _read_sql(operation: QueryOperation) -> QueryOperation | str | None:
    """Read the SQL of a query back, over the tables that it reads."""
    sources = {s.identifier.parts: s for s in operation.walk_with_subqueries() if isinstance(s, Source)}

    def find(path: tuple[str, ...], version: Any, timestamp: Any, options: ReadOptions) -> QueryOperation:
        return sources.get(path) or AROUND.find_table(path, version, timestamp, options)

    return read(operation.as_serializable_string(), attrs.evolve(AROUND, find_table=find))


def _reads_equal_names(operation: QueryOperation) -> bool:
    """Whether two sources have one name and different columns, which no environment can declare."""
    sources = [node for node in operation.walk_with_subqueries() if isinstance(node, Source)]
    return len({source.identifier for source in sources}) < len(sources)


def _read(text: str) -> QueryOperation | str:
    """Return the query of a document, or the message of its refusal."""
    try:
        return QueryOperation.from_json(text)
    except TreeJsonException as error:
        return str(error)


@pytest.mark.slow
@given(chance=st.randoms(use_true_random=False))
@settings(max_examples=600, derandomize=True, deadline=None)
def test_forged_documents_are_refused_or_hold_a_query_of_their_types(chance: random.Random) -> None:
    name, other = chance.choice(tree_names()), chance.choice(tree_names())
    before = tree(name)
    document = json.loads(before.to_json())
    _forge(document, chance, json.loads(tree(other).to_json()))
    found = _read(json.dumps(document))
    if isinstance(found, str):
        assert found.startswith("The JSON of the query is invalid at /")
        return
    assert QueryOperation.from_json(found.to_json()) is found
    try:
        again = _read_sql(found)
    except TableException:
        # Its SQL is refused, because an outer reference has lost its outer query.
        return
    if not isinstance(again, QueryOperation):
        assert _reads_equal_names(found), again
        return
    # The canonical form of the same query, whose types the reader of SQL has inferred anew.
    ours, theirs = found.schema, again.schema
    assert theirs.names == ours.names
    assert [t.as_nullable() for t in theirs.types] == [t.as_nullable() for t in ours.types]


def _require_refusal(text: str) -> None:
    """Read a text that is probably not a document; any exception but ours fails the test."""
    with contextlib.suppress(TreeJsonException):
        QueryOperation.from_json(text)


@given(chance=st.randoms(use_true_random=False))
@settings(max_examples=300, derandomize=True, deadline=None)
def test_damaged_texts_raise_no_other_exception(chance: random.Random) -> None:
    text = tree(chance.choice(tree_names())).to_json()
    start = chance.randrange(len(text))
    way = chance.randrange(3)
    if way == 0:
        _require_refusal(text[:start])
    elif way == 1:
        _require_refusal(text[:start] + text[start + chance.randrange(1, 40) :])
    else:
        _require_refusal(text[:start] + chance.choice('{}[],:"\\0-e1.\ud800\x00 nulltrue') + text[start + 1 :])


_ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@pytest.mark.slow
@given(value=_ANY_JSON, chance=st.randoms(use_true_random=False))
@settings(max_examples=300, derandomize=True, deadline=None)
def test_any_json_in_any_place_raises_no_other_exception(value: Any, chance: random.Random) -> None:
    document = json.loads(tree(chance.choice(tree_names())).to_json())
    container, key = chance.choice([*_spots(document), *[(document, key) for key in document]])
    container[key] = value
    _require_refusal(json.dumps(document))
