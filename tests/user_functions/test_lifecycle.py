"""Methods that would never be called: misspelt ones, and those that only Flink calls."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark import cloudpickle

from ir.errors import ValidationException
from ir.migration_page import Section, see
from tableapi import AggregateFunction, AsyncScalarFunction, Row, ScalarFunction, TableAggregateFunction, TableFunction
from tableapi.process_functions import OnTimerContext, ProcessTableFunction, TableAsRow, TableAsSet
from tableapi.spark import python_functions
from tableapi.user_functions.lifecycle import REFUSED
from tableapi.user_functions.wrapper import wrapper_of


class Plain(ScalarFunction):
    def eval(self, x: int) -> int:
        return x


class Rows(TableFunction):
    def eval(self, x: int) -> Iterator[int]:
        yield x


class Total(AggregateFunction):
    def create_accumulator(self) -> list[int]:
        return [0]

    def accumulate(self, accumulator: list[int], x: int) -> None:
        accumulator[0] += x

    def get_value(self, accumulator: list[int]) -> int:
        return accumulator[0]


class Best(TableAggregateFunction):
    def create_accumulator(self) -> list[int]:
        return []

    def accumulate(self, accumulator: list[int], x: int) -> None:
        accumulator.append(x)

    def emit_value(self, accumulator: list[int]) -> Iterator[int]:
        yield max(accumulator)


class Waits(AsyncScalarFunction):
    async def eval(self, x: int) -> int:
        return x


class Tables(ProcessTableFunction):
    def eval(self, input: TableAsSet[Row]) -> Iterator[int]:
        yield 1


KINDS = (Plain, Rows, Total, Best, Waits, Tables)


def declare(parent: type, **methods: Any) -> Any:
    return wrapper_of(type("F", (parent,), methods))


def method(self: Any, *args: Any) -> Any:
    return None


OWN = {
    (Waits, "eval_batch"),
    *[(Tables, name) for name in ("on_timer", "finish", "on_late")],
    *[(Tables, f"get_{side}_changelog_mode") for side in ("input", "output")],
}


@pytest.mark.parametrize("parent", KINDS)
@pytest.mark.parametrize("name", sorted(REFUSED))
def test_method_that_only_flink_calls_is_refused(parent: type, name: str) -> None:
    if (parent, name) in OWN:
        pytest.skip("the method is one of this kind")
    camel = name.split("_")[0] + "".join(part.title() for part in name.split("_")[1:])
    for spelling in {name, camel}:
        with pytest.raises(ValidationException) as raised:
            declare(parent, **{spelling: method})
        more = see(Section.STREAMS) if "every row is an insertion" in REFUSED[name] else ""
        assert str(raised.value) == (
            f"F has a method {spelling}, which is not supported: {REFUSED[name]}. Remove the method.{more}"
        )


@pytest.mark.parametrize(
    ("parent", "given", "meant"),
    [
        (Plain, "opne", "open"),
        (Plain, "isDeterministic", "is_deterministic"),
        (Rows, "clsoe", "close"),
        (Rows, "getTypeInference", "get_type_inference"),
        (Total, "Open", "open"),
        (Waits, "evalBatch", "eval_batch"),
        (Tables, "onTimer", "on_timer"),
        (Tables, "on_time", "on_timer"),
        (Tables, "finsh", "finish"),
    ],
)
def test_misspelt_method_has_the_nearest_name(parent: type, given: str, meant: str) -> None:
    with pytest.raises(
        ValidationException, match=f"^F has a method {given}, which nobody calls. Did you mean '{meant}"
    ):
        declare(parent, **{given: method})


@pytest.mark.parametrize(
    ("parent", "given", "missing"),
    [
        (ScalarFunction, "evall", "eval"),
        (ScalarFunction, "evaluate", "eval"),
        (TableFunction, "Eval", "eval"),
        (AggregateFunction, "createAccumulator", "create_accumulator"),
        (TableAggregateFunction, "emitValue", "emit_value"),
        (ProcessTableFunction, "evla", "eval"),
    ],
)
def test_misspelt_required_method_is_to_be_renamed(parent: type, given: str, missing: str) -> None:
    required = ("eval", "create_accumulator", "accumulate", "get_value", "emit_value")
    others = {name: method for name in required if name in parent.__abstractmethods__ and name != missing}
    with pytest.raises(ValidationException) as raised:
        declare(parent, **{given: method}, **others)
    assert str(raised.value) == (
        f"The class F does not have the method {missing}. Rename the method {given!r} to {missing!r}."
    )


def test_method_that_the_class_calls_itself_is_its_own() -> None:
    class Own(ScalarFunction):
        def eval(self, x: int) -> int:
            return self.finish(x) + sum(self.opne(y) for y in (x,))

        def finish(self, x: int) -> int:
            return x

        def opne(self, x: int) -> int:
            return x

    assert repr(wrapper_of(Own)) == "<scalar function Own(x: BIGINT NOT NULL) -> BIGINT NOT NULL>"


@pytest.mark.parametrize("name", ["retract", "merge", "reset_accumulator", "get_accumulator_type", "helper", "reopen_"])
def test_methods_of_pyflinks_aggregates_and_helpers_are_accepted(name: str) -> None:
    assert "aggregate function F" in repr(declare(Total, **{name: method}))


def test_unannotated_context_of_a_timer_is_to_be_annotated() -> None:
    def on_timer(self: Any, ctx: Any) -> None: ...

    del on_timer.__annotations__["ctx"]
    with pytest.raises(ValidationException, match="if it is the context, write ctx: OnTimerContext"):
        declare(Tables, on_timer=on_timer)
    on_timer.__annotations__["ctx"] = OnTimerContext
    declare(Tables, on_timer=on_timer)


def test_row_functions_are_checked_as_well() -> None:
    class Each(ProcessTableFunction):
        def eval(self, input: TableAsRow[Row]) -> Iterator[int]:
            yield 1

        def getOutputChangelogMode(self) -> None: ...  # as in Java

    with pytest.raises(ValidationException, match="Did you mean 'get_output_changelog_mode'"):
        wrapper_of(Each)


def test_method_without_self_is_to_have_it() -> None:
    class Forgotten(ScalarFunction):
        def eval(x: int) -> int:  # type: ignore[override]  # the mistake
            return x

    with pytest.raises(ValidationException) as raised:
        wrapper_of(Forgotten)
    assert str(raised.value) == "Forgotten.eval has no parameter for the instance: write def eval(self, x)."


@pytest.mark.parametrize("parent", [TableFunction, ProcessTableFunction])
def test_collect_of_java_suggests_yield(parent: type) -> None:
    made = type("F", (parent,), {"eval": method})()
    with pytest.raises(NotImplementedError, match="rows are given with yield, not with collect: write 'yield row'"):
        made.collect(1)


def test_declaration_of_types_is_not_sent_to_workers(tmp_path: Path) -> None:
    source = tmp_path / "functions_with_inference.py"
    source.write_text(
        "from tableapi import ScalarFunction\n"
        "from tableapi.inference import InputTypeStrategies, TypeInference\n"
        "class F(ScalarFunction):\n"
        "    def eval(self, a):\n"
        "        return a + 1\n"
        "    def get_type_inference(self):\n"
        "        return TypeInference(\n"
        "            input_type_strategy=InputTypeStrategies.common_type(1), output_type_strategy='INT'\n"
        "        )\n"
    )
    spec = importlib.util.spec_from_file_location("functions_with_inference", source)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    with python_functions._pickle_by_value(python_functions._modules_that_travel()):
        sent = cloudpickle.dumps(module.F())
    del sys.modules[spec.name]
    assert repr(wrapper_of(module.F)) == "<scalar function F(a: ANY) -> inferred of the call>"
    worker = (
        "import sys, pickle\n"
        "for name in ('tableapi', 'ir', 'serializer', 'grammar'): sys.modules[name] = None\n"
        "print(pickle.loads(sys.stdin.buffer.read()).eval(1))\n"
    )
    ran = subprocess.run([sys.executable, "-c", worker], input=sent, capture_output=True, check=False)
    assert (ran.stdout.decode().strip(), ran.stderr.decode()) == ("2", "")
