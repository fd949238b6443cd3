"""What becomes of the state of a function that changes: each change is read by name, or refused in words."""

from __future__ import annotations

import dataclasses
import datetime as dt
import decimal
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import pytest

from ir import types as t
from tableapi import EnvironmentSettings, Row, Table, TableEnvironment
from tableapi.expressions import col, descriptor, lit
from tableapi.process_functions import ArgumentHint, ArgumentTrait, ListView, MapView, ProcessTableFunction, StateHint
from tableapi.spark.planner.process import plan_call
from tableapi.spark.planner.stored_states import stored_plan
from tableapi.spark.process_functions import _describe_state
from tableapi.spark.runtime.process.plan import FieldForm, StateForm, StoredForm, StoredPlan
from tableapi.spark.runtime.process.stored_forms import add_form, convert_states, head_of, read_form, write_form
from tableapi.spark.runtime.process.stored_values import NotStorable, StoredValues
from tableapi.spark.streaming.state_changes import CallState, compare_states, read_call

COLUMNS = {"k": "STRING", "n": "INT", "ts": "TIMESTAMP_LTZ"}


@dataclasses.dataclass
class Version:
    """A version of a call: its states by their names, each with its type and defaults, or a data class."""

    states: Mapping[str, Any]
    function: str = "Kept"
    keys: Sequence[str] = ("k",)
    is_timed: bool = False
    is_ordered: bool = False


def _row(type: str, **defaults: Any) -> Any:
    return Annotated[Any, StateHint(type=type, defaults=defaults)]


def _function(version: Version) -> type[ProcessTableFunction]:
    """Return a function whose ``eval`` takes states and a row."""
    names = ", ".join(version.states)
    given: dict[str, Any] = {}
    exec(f"def eval(self, {names}{', ' if names else ''}row): yield 1", given)
    row = Annotated[Row, ArgumentHint(ArgumentTrait.TABLE_AS_SET, ArgumentTrait.OPTIONAL_PARTITION_BY)]
    given["eval"].__annotations__ = {**version.states, "row": row, "return": Iterator[int]}
    return type(version.function, (ProcessTableFunction,), {"eval": given["eval"]})


@pytest.fixture(scope="module")
def stream() -> Table:
    env = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())
    env.declare("events", COLUMNS)
    return env.from_path("events", stream=True).watermark(col("ts"), lit(10).seconds)


def _plan(stream: Table, version: Version) -> tuple[StoredPlan, CallState, Any]:
    partitions = stream.partition_by(*[col(key) for key in version.keys]) if version.keys else stream
    if version.is_ordered:
        partitions = partitions.order_by(col("ts"))
    named = {"on_time": descriptor("ts")} if version.is_timed else {}
    made = partitions.process(_function(version), uid="kept", **named)
    planned = plan_call(made.query_operation)  # type: ignore[arg-type]  # the root is the call
    stored = stored_plan(planned)
    return stored, _describe_state(planned, stored).state, planned.initial_states


def _restart(stream: Table, old: Version, new: Version, values: Sequence[Any]) -> Any:
    """Store a state with one version of a call, and read it with another one: states, or why that is refused."""
    before, known, create = _plan(stream, old)
    after, call, create_now = _plan(stream, new)
    # The record of a checkpoint is JSON.
    changes = compare_states(read_call(json.loads(json.dumps(known.as_json()))), call)
    if changes.refused:
        return list(changes.refused)
    states = [make() for make in create]
    for state, given in zip(states, values, strict=True):
        for number, value in enumerate(given):
            if dataclasses.is_dataclass(state):
                setattr(state, dataclasses.fields(state)[number].name, value)
            else:
                state[number] = value
    stored = StoredValues(before, create).encode(states, None)
    assert stored is not None
    forms = add_form(before.forms, after.forms[-1])
    now = StoredValues(dataclasses.replace(after, forms=forms), create_now)
    made, timers = now.decode(stored)
    assert timers is None
    # What was read is stored in the new form, and read again.
    again = now.encode(made, None)
    if again is not None:
        assert now.decode(again)[0] == made
    return [list(dataclasses.astuple(state)) if dataclasses.is_dataclass(state) else list(state) for state in made]  # type: ignore[arg-type]  # states are rows, lists and maps


@dataclasses.dataclass
class Seen:
    n: int = 0
    name: str | None = None


@dataclasses.dataclass
class SeenLater:
    name: str | None = None
    n: int | None = 0
    last: dt.datetime | None = None
    kind: str = "new"


N = "ROW<n INT, s STRING>"
# The state of before, the state of now, the values before, and the values now, or why the change is refused.
FIELDS: dict[str, tuple[Any, Any, Sequence[Any], list[Any] | str]] = {
    "nothing": (_row(N), _row(N), [7, "a"], [7, "a"]),
    "a field is gained": (_row(N), _row("ROW<n INT, s STRING, b BOOLEAN>"), [7, "a"], [7, "a", None]),
    "a field is gained with a default": (_row("ROW<n INT>"), _row(N, s="?"), [7], [7, "?"]),
    "a field is lost": (_row(N), _row("ROW<s STRING>"), [7, "a"], ["a"]),
    "fields change places": (_row(N), _row("ROW<s STRING, n INT>"), [7, "a"], ["a", 7]),
    "a field is renamed": (_row(N), _row("ROW<m INT, s STRING>"), [7, "a"], [None, "a"]),
    "an integer is widened": (_row("ROW<n INT>"), _row("ROW<n BIGINT>"), [2**31 - 1], [2**31 - 1]),
    "an integer becomes a decimal": (_row("ROW<n INT>"), _row("ROW<n DECIMAL(12, 2)>"), [7], [7]),
    "an integer becomes a double": (_row("ROW<n INT>"), _row("ROW<n DOUBLE>"), [7], [7.0]),
    "a decimal is widened": (
        _row("ROW<n DECIMAL(5, 2)>"),
        _row("ROW<n DECIMAL(9, 4)>"),
        [decimal.Decimal("1.25")],
        [decimal.Decimal("1.25")],
    ),
    "NULL is allowed": (_row("ROW<n INT NOT NULL>", n=3), _row("ROW<n INT>"), [7], [7]),
    "NULL is forbidden, with a default": (
        _row("ROW<n INT, s STRING>"),
        _row("ROW<n INT NOT NULL, s STRING>", n=3),
        [None, "a"],
        [3, "a"],
    ),
    "a data class changes all of its fields": (
        Annotated[Seen, StateHint()],
        Annotated[SeenLater, StateHint()],
        [7, "a"],
        ["a", 7, None, "new"],
    ),
    "a field of a row is gained": (
        _row("ROW<r ROW<a INT>>"),
        _row("ROW<r ROW<b STRING, a BIGINT>>"),
        [Row(a=7)],
        [Row(b=None, a=7)],
    ),
    "elements are widened": (_row("ROW<a ARRAY<INT>>"), _row("ROW<a ARRAY<DOUBLE>>"), [[1, None]], [[1.0, None]]),
    "NULL is forbidden in an array": (
        _row("ROW<a ARRAY<INT>>"),
        _row("ROW<a ARRAY<INT NOT NULL>>"),
        [[7]],
        "The field a of the state kept of 'kept' was ARRAY<INT>, and is ARRAY<INT NOT NULL>: it may hold NULL.",
    ),
    "an integer is narrowed": (
        _row("ROW<n BIGINT>"),
        _row("ROW<n INT>"),
        [7],
        "The field n of the state kept of 'kept' was BIGINT, and is INT: it cannot hold all values.",
    ),
    "a big integer becomes a double": (
        _row("ROW<n BIGINT>"),
        _row("ROW<n DOUBLE>"),
        [7],
        "The field n of the state kept of 'kept' was BIGINT, and is DOUBLE: it cannot hold all values.",
    ),
    "a decimal loses digits": (
        _row("ROW<n DECIMAL(5, 2)>"),
        _row("ROW<n DECIMAL(5, 3)>"),
        [1],
        "The field n of the state kept of 'kept' was DECIMAL(5, 2), and is DECIMAL(5, 3): it cannot hold all values.",
    ),
    "a number becomes a string": (
        _row("ROW<n INT>"),
        _row("ROW<n STRING>"),
        [7],
        "The field n of the state kept of 'kept' was INT, and is STRING: it is another kind of value.",
    ),
    "a field of a row is narrowed": (
        _row("ROW<r ROW<a BIGINT>>"),
        _row("ROW<r ROW<a INT>>"),
        [Row(a=7)],
        "The field r of the state kept of 'kept' was ROW<`a` BIGINT>, and is ROW<`a` INT>: of its field a, it cannot "
        "hold all values.",
    ),
    "a row gains a field that is NOT NULL": (
        _row("ROW<r ROW<a INT>>"),
        _row("ROW<r ROW<a INT, b INT NOT NULL>>"),
        [Row(a=7)],
        "The field r of the state kept of 'kept' was ROW<`a` INT>, and is ROW<`a` INT, `b` INT NOT NULL>: its new "
        "field b is NOT NULL, and stored rows have none.",
    ),
}


@pytest.mark.parametrize("name", FIELDS)
def test_a_state_changes(name: str, stream: Table) -> None:
    old, new, values, expected = FIELDS[name]
    found = _restart(stream, Version({"kept": old}), Version({"kept": new}), [values])
    assert found == [expected]


BASE = Version({"kept": _row("ROW<n INT>")})
CALLS: dict[str, tuple[Version, str]] = {
    "another function": (
        dataclasses.replace(BASE, function="Others"),
        "The state of the uid 'kept' is that of Kept, and the call is of Others.",
    ),
    "another key": (
        dataclasses.replace(BASE, keys=["n"]),
        "The partition keys of 'kept' were [k STRING], and are [n INT].",
    ),
    "another number of keys": (
        dataclasses.replace(BASE, keys=["k", "n"]),
        "The partition keys of 'kept' were [k STRING], and are [k STRING, n INT].",
    ),
    "no keys": (dataclasses.replace(BASE, keys=[]), "The partition keys of 'kept' were [k STRING], and are []."),
    "a time": (dataclasses.replace(BASE, is_timed=True), "The call of 'kept' had no on_time, and has one."),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_changes(name: str, stream: Table) -> None:
    new, expected = CALLS[name]
    assert _restart(stream, BASE, new, [[7]]) == [expected]


def test_an_order_changes(stream: Table) -> None:
    timed = dataclasses.replace(BASE, is_timed=True)
    ordered = dataclasses.replace(timed, is_ordered=True)
    (found,) = _restart(stream, timed, ordered, [[7]])
    assert found == "The call of 'kept' had no ORDER BY, and has it: rows that wait for the watermark are in its state."
    (found,) = _restart(stream, ordered, timed, [[7]])
    assert found.startswith("The call of 'kept' had ORDER BY, and has none: ")
    (found,) = _restart(stream.drop_columns(col("n")), ordered, ordered, [[7]]) or [""]
    assert found == [7]


def test_the_columns_of_waiting_rows_change(stream: Table) -> None:
    ordered = dataclasses.replace(BASE, is_timed=True, is_ordered=True)
    known = _plan(stream, ordered)[1]
    call = _plan(stream.drop_columns(col("n")), ordered)[1]
    (found,) = compare_states(known, call).refused
    assert found.startswith("Rows of 'kept' wait for the watermark with the columns [k STRING, n INT, ts ")


def test_states_come_and_go(stream: Table) -> None:
    both = Version({"kept": _row("ROW<n INT>"), "other": _row("ROW<s STRING>", s="-")})
    assert _restart(stream, BASE, both, [[7]]) == [[7], ["-"]]
    assert _restart(stream, both, BASE, [[7], ["x"]]) == [[7]]
    changes = compare_states(_plan(stream, BASE)[1], _plan(stream, both)[1])
    assert changes.carried == ("The state other of 'kept' is new.",)
    none = Version({})
    assert _restart(stream, both, none, [[7], ["x"]]) == []


def test_what_is_carried_is_told(stream: Table) -> None:
    old, new = Version({"kept": Annotated[Seen, StateHint()]}), Version({"kept": Annotated[SeenLater, StateHint()]})
    changes = compare_states(_plan(stream, old)[1], _plan(stream, new)[1])
    assert not changes.refused
    assert changes.carried == (
        "The field n of the state kept of 'kept' goes from BIGINT NOT NULL to BIGINT.",
        "The field last of the state kept of 'kept' is new, and begins as NULL.",
        "The field kind of the state kept of 'kept' is new, and begins as 'new'.",
    )


def test_five_versions_one_after_the_other(stream: Table) -> None:
    """States of all versions lie side by side, because each is converted when it is read."""
    versions = [
        Version({"kept": _row(one)})
        for one in (
            "ROW<n INT>",
            "ROW<n BIGINT, s STRING>",
            "ROW<s STRING, n BIGINT>",
            "ROW<n DECIMAL(19, 0), s STRING, t STRING>",
            "ROW<n DECIMAL(19, 0)>",
            "ROW<n DECIMAL(20, 1), s STRING>",
        )
    ]
    plans = [_plan(stream, version) for version in versions]
    forms: tuple[StoredForm, ...] = ()
    stored = []
    for number, (plan, call, create) in enumerate(plans):
        if number:
            before = CallState(call.uid, call.function, call.variable, call.keys, call.time, forms)
            assert compare_states(before, call).refused == ()
        forms = add_form(forms, plan.forms[-1])
        values = StoredValues(dataclasses.replace(plan, forms=forms), create)
        (state,) = [make() for make in create]
        names = [field.name for field in plan.forms[-1].states[0].fields]
        state[names.index("n")] = number + 1
        if "s" in names:
            state[names.index("s")] = f"s{number}"
        stored.append(values.encode([state], None))
    last, _, create = plans[-1]
    values = StoredValues(dataclasses.replace(last, forms=forms), create)
    read = [list(values.decode(state)[0][0]) for state in stored if state is not None]
    # The fifth version has lost the strings.
    assert read == [[1, None], [2, None], [3, None], [4, None], [5, None], [6, "s5"]]


def test_a_form_that_comes_back(stream: Table) -> None:
    first, second = [_plan(stream, Version({"kept": _row(one)}))[0] for one in (N, "ROW<n INT>")]
    forms = add_form(add_form(first.forms, second.forms[-1]), first.forms[-1])
    assert len({head_of(forms, number) for number in range(3)}) == 3
    assert add_form(forms, first.forms[-1]) == forms
    assert [read_form(json.loads(json.dumps(write_form(form)))) for form in forms] == list(forms)
    create = _plan(stream, Version({"kept": _row(N)}))[2]
    old = StoredValues(dataclasses.replace(first, forms=forms[:1]), create)
    (state,) = [make() for make in create]
    state[0], state[1] = 7, "a"
    now = StoredValues(dataclasses.replace(first, forms=forms), create)
    assert list(now.decode(old.encode([state], None) or b"")[0][0]) == [7, None]
    assert list(now.decode(now.encode([state], None) or b"")[0][0]) == [7, "a"]


def test_a_value_becomes_a_list(stream: Table) -> None:
    for listed, words in ((ListView[int], "a ListView"), (MapView[str, int], "a MapView")):
        (found,) = _restart(stream, BASE, Version({"kept": listed}), [[7]])
        assert found == f"The state kept of 'kept' was a value, and is {words}."
    form = _plan(stream, Version({"kept": MapView[str, int]}))[1].form
    assert [(field.name, field.type) for field in form.states[0].fields] == [
        ("key", "STRING NOT NULL"),
        ("value", "BIGINT NOT NULL"),
    ]


def test_lists_and_maps() -> None:
    def state(structure: str, *types: t.LogicalType, ttl: bool = False, kind: str = "integer") -> CallState:
        names = {1: ["element"], 2: ["key", "value"]}[len(types)]
        fields = [FieldForm(name, (kind,), known.as_summary_string()) for name, known in zip(names, types, strict=True)]
        form = StoredForm(str((structure, types, ttl)).encode(), (StateForm("s", structure, tuple(fields), ttl),))
        return CallState("u", "F", "s_u", (), None, (form,))

    ints, longs = state("list", t.INT), state("list", t.BIGINT)
    assert compare_states(ints, longs).carried == ("The element of the state s of 'u' goes from INT to BIGINT.",)
    assert convert_states(ints.form, longs.form)([[1, 2]]) == [[1, 2]]
    assert convert_states(ints.form, longs.form)([{"rest": [1], "chunks": [0, 5]}]) == [{"rest": [1], "chunks": [0, 5]}]
    refused = {
        "was a ListView, and is a MapView": state("map", t.INT, t.INT),
        "was INT, and is SMALLINT: it cannot hold all values": state("list", t.SmallIntType()),
        "was INT, and is DOUBLE: the elements of a list or map stay as they are stored": state(
            "list", t.DoubleType(), kind="float"
        ),
        "The elements of the state s of 'u' had no time to live, and have one": state("list", t.INT, ttl=True),
    }
    for words, now in refused.items():
        assert words in compare_states(ints, now).refused[0]
        if words != "was INT, and is SMALLINT: it cannot hold all values":
            with pytest.raises(ValueError, match=r"cannot become|stay as they are"):
                convert_states(ints.form, now.form)


def test_a_time_to_live_comes_and_goes() -> None:
    fields = (FieldForm("n", ("integer",), "INT", 4),)
    plain = StoredForm(b"1", (StateForm("s", "value", fields),))
    timed = StoredForm(b"2", (StateForm("s", "value", fields, has_ttl=True),))
    assert convert_states(plain, timed)([[7]]) == [{"value": [7], "changed": None}]
    assert convert_states(timed, plain)([{"value": [7], "changed": 5}]) == [[7]]
    assert convert_states(StoredForm(b"0", ()), timed)([]) == [{"value": [4], "changed": None}]


def test_a_newer_version_of_the_library(stream: Table) -> None:
    call = _plan(stream, BASE)[1]
    newer = {**call.as_json(), "version": 99, "forms": {"of": "another shape"}}
    (found,) = compare_states(read_call(newer), call).refused
    assert found == "A newer version of tableapi has stored the state of 'kept'. Install that version."


def test_a_state_of_an_unknown_form_is_refused(stream: Table) -> None:
    first, _, create = _plan(stream, BASE)
    second, _, other = _plan(stream, Version({"kept": _row(N)}))
    (state,) = [make() for make in create]
    state[0] = 7
    stored = StoredValues(first, create).encode([state], None)
    assert stored is not None
    with pytest.raises(NotStorable, match="states have other types"):
        StoredValues(second, other).decode(stored)
    with pytest.raises(NotStorable, match="another version of tableapi"):
        StoredValues(first, create).decode(b"\x02" + stored[1:])
