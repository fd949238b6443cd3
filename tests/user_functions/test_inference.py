"""Functions with strategies for the types of arguments and results, like built-in functions (FLIP-51)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from ir.errors import ValidationException
from tableapi import (
    AggregateFunction,
    AsyncScalarFunction,
    DataTypes,
    DirectoryCatalog,
    EnvironmentSettings,
    Row,
    ScalarFunction,
    TableEnvironment,
    TableFunction,
    udaf,
    udf,
    udtf,
)
from tableapi.expressions import call, col, lit, null_of
from tableapi.inference import InputTypeStrategies as Inputs
from tableapi.inference import Monotonicity, StaticArgument, TypeInference
from tableapi.inference import TypeStrategies as Types
from tableapi.process_functions import ArgumentTrait, ProcessTableFunction


def environment(spark: SparkSession | None = None) -> TableEnvironment:
    if spark is not None:
        return TableEnvironment.create(spark=spark.newSession())
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    return TableEnvironment.create(settings)


def function(inference: Callable[[], Any], parent: type = ScalarFunction) -> Any:
    """Return a function with these type strategies that returns its arguments as text."""

    def evaluate(self: Any, *args: Any) -> Any:
        return repr(args)

    methods = {"eval": evaluate, "get_type_inference": lambda self: inference()}
    return udf(type("F", (parent,), methods))


class Larger(ScalarFunction):
    """The larger of two values with a common type."""

    def eval(self, left: Any, right: Any) -> Any:
        return max((given for given in (left, right) if given is not None), default=None)

    def get_type_inference(self) -> TypeInference:
        return TypeInference(
            input_type_strategy=Inputs.common_type(2, ordered=True),
            output_type_strategy=Types.nullable_if_args(Types.common()),
            monotonicity=[Monotonicity.INCREASING, Monotonicity.INCREASING],
        )


class Larger_(AsyncScalarFunction):  # the same one, asynchronous
    async def eval(self, left: Any, right: Any) -> Any:
        return Larger().eval(left, right)

    get_type_inference = Larger.get_type_inference


class LargerRows(TableFunction):
    def eval(self, left: Any, right: Any) -> Iterator[Any]:
        yield (Larger().eval(left, right),)

    def get_type_inference(self) -> TypeInference:
        return TypeInference(
            input_type_strategy=Inputs.common_type(2),
            output_type_strategy=lambda call: DataTypes.ROW([DataTypes.FIELD("v", call.get_argument_data_type(0))]),
        )


class LargestPair(AggregateFunction):
    def create_accumulator(self) -> list[Any]:
        return []

    def accumulate(self, accumulator: list[Any], left: Any, right: Any) -> None:
        accumulator.append(Larger().eval(left, right))

    def get_value(self, accumulator: list[Any]) -> Any:
        return max(accumulator)

    get_type_inference = Larger.get_type_inference


def test_untyped_null_beside_a_decimal_has_its_type() -> None:
    env = environment()
    env.create_temporary_system_function("larger", Larger)
    env.create_temporary_view("one", env.from_elements([(1,)], ["n"]))
    in_sql = env.sql_query("SELECT larger(NULL, 5.3) AS v, larger(n, 2.5) AS w FROM one")
    assert repr(in_sql.get_resolved_schema()) == "(`v` DECIMAL(2, 1), `w` DECIMAL(11, 1))"
    assert "`larger`(CAST(NULL AS DECIMAL(2, 1)), 5.3)" in in_sql.as_serializable_string()
    fluent = env.from_path("one").select(
        call("larger", lit(None), lit(Decimal("5.3"))).alias("v"), call("larger", col("n"), Decimal("2.5")).alias("w")
    )
    assert fluent.query_operation is in_sql.query_operation
    assert env.sql_query(in_sql.as_serializable_string()).query_operation is in_sql.query_operation


def test_every_kind_of_function_takes_strategies_on_spark(spark: SparkSession) -> None:
    env = environment(spark)
    env.create_temporary_system_function("larger", Larger)
    env.create_temporary_system_function("larger_async", udf(Larger_))
    env.create_temporary_system_function("larger_rows", udtf(LargerRows))
    env.create_temporary_system_function("largest_pair", udaf(LargestPair()))
    env.create_temporary_view("numbers", env.from_elements([(1, Decimal("2.5")), (7, None)], ["a", "b"]))
    env.create_temporary_view("typed", env.sql_query("SELECT a, CAST(b AS DECIMAL(3, 1)) AS b FROM numbers"))
    rows = env.sql_query("SELECT larger(a, b) AS x, larger_async(b, a) AS y, larger(NULL, 5.3) AS z FROM typed")
    assert sorted(tuple(row) for row in rows.execute().collect()) == [
        (Decimal("2.5"), Decimal("2.5"), Decimal("5.3")),
        (Decimal("7.0"), Decimal("7.0"), Decimal("5.3")),
    ]
    unfolded = env.sql_query("SELECT r.v FROM typed, LATERAL larger_rows(a, b) AS r")
    assert sorted(row[0] for row in unfolded.execute().collect()) == [Decimal("2.5"), Decimal("7.0")]
    grouped = env.sql_query("SELECT largest_pair(a, b) AS m FROM typed")
    assert [row[0] for row in grouped.execute().collect()] == [Decimal("7.0")]
    assert repr(grouped.get_resolved_schema()) == "(`m` DECIMAL(11, 1))"
    env.drop_temporary_view("typed")
    env.drop_temporary_view("numbers")


ACCEPTED = [
    (
        Inputs.sequence("STRING", Inputs.COMMON, Inputs.COMMON),
        "'a', NULL, 5.3",
        "'a', CAST(NULL AS DECIMAL(2, 1)), 5.3",
    ),
    (Inputs.sequence("BIGINT"), "1", "CAST(1 AS BIGINT)"),
    (
        Inputs.varying_sequence("INT", Inputs.COMMON),
        "1, 2, 3.5",
        "1, CAST(2 AS DECIMAL(11, 1)), CAST(3.5 AS DECIMAL(11, 1))",
    ),
    (Inputs.varying_sequence("INT", Inputs.COMMON), "1", "1"),
    (Inputs.varying_common_type(), "1, NULL, 2", "1, CAST(NULL AS INT), 2"),
    (Inputs.comparable(), "1, '2'", "CAST(1 AS BIGINT), CAST('2' AS BIGINT)"),
    (Inputs.sequence(Inputs.logical("NUMERIC")), "1", "1"),
    (Inputs.sequence(Inputs.logical("integral")), "NULL", "CAST(NULL AS BIGINT)"),
    (Inputs.sequence(Inputs.literal("STRING")), "'a'", "'a'"),
    (Inputs.sequence(Inputs.constant("INT")), "1 + 1", "1 + 1"),
    (Inputs.sequence(Inputs.one_of("BOOLEAN", "BIGINT")), "TRUE", "TRUE"),
    (Inputs.or_(Inputs.sequence("INT"), Inputs.sequence("INT", "INT")), "1, 2", "1, 2"),
    (Inputs.sequence("INTERVAL SECOND"), "INTERVAL '5' MINUTES", "CAST(INTERVAL '5' MINUTE AS INTERVAL SECOND)"),
]


@pytest.mark.parametrize(("strategy", "given", "cast"), ACCEPTED)
def test_strategy_casts_arguments(strategy: Any, given: str, cast: str) -> None:
    env = environment()
    made = function(lambda: TypeInference(input_type_strategy=strategy, output_type_strategy="STRING"))
    env.create_temporary_system_function("f", made)
    text = env.sql_query(f"SELECT f({given}) AS v").as_serializable_string()
    assert f"`f`({cast})" in text
    assert env.sql_query(text).as_serializable_string() == text


@pytest.mark.parametrize(
    ("strategy", "given", "message"),
    [
        (
            Inputs.common_type(2),
            "1, ARRAY(2)",
            "the types of the arguments do not fit together. Supported: f(<COMMON>, ",
        ),
        (Inputs.common_type(2), "1", "it takes 2 arguments, but 1 was given"),
        (Inputs.common_type(2, ordered=True), "MAP(1, 2), MAP(1, 2)", "Supported: f(<COMMON>, <COMMON>)"),
        (Inputs.comparable(), "1, ARRAY(1)", "Supported: f(<COMPARABLE>, <COMPARABLE>)"),
        (Inputs.sequence(Inputs.logical("NUMERIC")), "DATE '2024-01-01'", "argument 1 is not <NUMERIC>"),
        (Inputs.sequence(Inputs.literal("STRING")), "UUID()", "argument 1 is not <STRING literal>"),
        (Inputs.sequence("STRING", Inputs.constant("INT")), "'a', RAND()", "argument 2 is not <INT constant>"),
        (Inputs.or_(Inputs.sequence("INT"), Inputs.sequence("INT", "INT")), "1, 2, 3", "it takes 1 or 2 arguments"),
    ],
)
def test_call_that_a_strategy_refuses_has_its_signature(strategy: Any, given: str, message: str) -> None:
    env = environment()
    made = function(lambda: TypeInference(input_type_strategy=strategy, output_type_strategy="STRING"))
    env.create_temporary_system_function("f", made)
    with pytest.raises(ValidationException) as raised:
        env.sql_query(f"SELECT f({given})")
    assert "Invalid call of f(" in str(raised.value)
    assert message in str(raised.value)


def test_declared_arguments_have_strategies_and_names() -> None:
    class Padded(ScalarFunction):
        def eval(self, text: Any, left: Any, right: Any = None) -> str:
            return f"{left}{text}{right}"

        def get_type_inference(self) -> TypeInference:
            arguments = [
                StaticArgument.scalar("text", "STRING"),
                StaticArgument.scalar("left", Inputs.COMMON),
                StaticArgument.scalar("right", Inputs.COMMON, is_optional=True),
            ]
            return TypeInference(arguments, "STRING")

    env = environment()
    env.create_temporary_system_function("padded", Padded)
    text = env.sql_query("SELECT padded(right => 5.3, text => 'a', left => NULL) AS v").as_serializable_string()
    assert "`padded`('a', CAST(NULL AS DECIMAL(2, 1)), 5.3)" in text
    assert "`padded`('a', 1)" in env.sql_query("SELECT padded('a', 1)").as_serializable_string()
    with pytest.raises(ValidationException, match=r"padded\(text <STRING>, left <COMMON>, right <COMMON>\)"):
        env.sql_query("SELECT padded('a', 1, ARRAY(1))")


@pytest.mark.parametrize(
    ("strategy", "given", "expected"),
    [
        (Types.explicit("INT"), "1, 'a'", "INT"),
        (Types.argument(1), "1, 'a'", "STRING"),
        (Types.common(), "1, 2.5", "DECIMAL(11, 1)"),
        (Types.common(1), "'a', 2", "INT"),
        (Types.array(Types.argument(0)), "1, 2", "ARRAY<INT NOT NULL>"),
        (Types.force_nullable(Types.argument(0)), "1, 2", "INT"),
        (Types.match_family(0, "NUMERIC", Types.argument(0)), "1, 2", "INT"),
        (
            Types.first(Types.match_family(0, "NUMERIC", Types.explicit("DOUBLE")), Types.explicit("STRING")),
            "'a', 2",
            "STRING",
        ),
    ],
)
def test_strategy_types_the_result(strategy: Any, given: str, expected: str) -> None:
    env = environment()
    inputs = Inputs.varying_sequence(Inputs.ANY)
    made = function(lambda: TypeInference(input_type_strategy=inputs, output_type_strategy=strategy))
    env.create_temporary_system_function("f", made)
    assert repr(env.sql_query(f"SELECT f({given}) AS v").get_resolved_schema()) == f"(`v` {expected})"


def test_result_of_an_argument_that_is_not_there_is_explained() -> None:
    made = function(
        lambda: TypeInference(input_type_strategy=Inputs.sequence("INT"), output_type_strategy=Types.argument(3))
    )
    with pytest.raises(ValidationException, match="asks for argument 3, counted from 0, but the call has 1 arguments"):
        environment().from_elements([(1,)], ["n"]).select(made(col("n")))


def positive(call: Any) -> str | None:
    value = call.get_argument_value(0)
    return f"the length {value} is negative" if call.is_argument_literal(0) and value < 0 else None


def test_validator_refuses_a_call_with_its_own_message() -> None:
    made = function(
        lambda: TypeInference(
            input_type_strategy=Inputs.sequence("INT"), output_type_strategy="STRING", validator=positive
        )
    )
    env = environment()
    env.create_temporary_system_function("f", made)
    env.sql_query("SELECT f(1)")
    with pytest.raises(ValidationException) as raised:
        env.sql_query("SELECT f(INT('-3') * 0), f(-2)")
    assert "Invalid call of f(INT NOT NULL): the length -2 is negative." in str(raised.value)


@pytest.mark.parametrize(
    ("validator", "message"),
    [
        (lambda call: call.nothing, "The validator of F failed with AttributeError: "),
        (lambda call: True, "The validator of F returned True; it returns None, or as text why the call is refused"),
    ],
)
def test_broken_validator_is_explained(validator: Any, message: str) -> None:
    made = function(lambda: TypeInference(output_type_strategy="STRING", validator=validator))
    with pytest.raises(ValidationException) as raised:
        environment().from_elements([(1,)], ["n"]).select(made(col("n")))
    assert message in str(raised.value)


def test_process_table_function_has_output_strategies_and_a_validator() -> None:
    class Limited(ProcessTableFunction):
        def eval(self, input: Any, n: Any) -> Iterator[Any]:
            yield n

        def get_type_inference(self) -> TypeInference:
            arguments = [
                StaticArgument.table("input", Row, False, ArgumentTrait.TABLE_AS_ROW),
                StaticArgument.scalar("n", "INT"),
            ]
            return TypeInference(
                arguments,
                Types.argument(1),
                validator=lambda call: "n is 0" if not call.get_argument_value("n") else None,
            )

    env = environment()
    table = env.from_elements([(1,)], ["a"])
    assert repr(env.from_call(Limited, table, 3).get_resolved_schema()) == "(`EXPR$0` INT NOT NULL)"
    with pytest.raises(ValidationException, match=r"Invalid call of Limited.*: n is 0"):
        env.from_call(Limited, table, 0)


def test_monotonicity_is_described() -> None:
    env = environment()
    env.create_temporary_system_function("larger", Larger)
    assert udf(Larger).definition.monotonicity == (Monotonicity.INCREASING, Monotonicity.INCREASING)


@pytest.mark.parametrize(
    ("inference", "message"),
    [
        (
            lambda: TypeInference(input_type_strategy="INT", output_type_strategy="INT"),
            "but the type INT was given. Write Inp",
        ),
        (
            lambda: TypeInference(input_type_strategy=Inputs.ANY, output_type_strategy="INT"),
            "but a strategy for one argument was given. Write InputTypeStrategies.sequence(…) around",
        ),
        (
            lambda: TypeInference([], "INT", input_type_strategy=Inputs.comparable()),
            "has both static_arguments and an input_type_strategy",
        ),
        (lambda: TypeInference(input_type_strategy=Inputs.comparable()), "has no output_type_strategy"),
        (
            lambda: TypeInference(output_type_strategy="INT", validator="x"),
            "has the validator 'x', which cannot be called",
        ),
        (lambda: TypeInference(output_type_strategy="INT", monotonicity=["up"]), "it is Monotonicity.INCREASING, "),
        (lambda: TypeInference(input_type_strategy=[1], output_type_strategy="INT"), "but [1] was given"),
        (
            lambda: TypeInference(input_type_strategy=Inputs.common_type, output_type_strategy="INT"),
            "common_type is a function that is not called: write common_type(least, …).",
        ),
        (
            lambda: TypeInference(output_type_strategy=Types.common),
            "The result of F: common is a function that is not called: write common().",
        ),
        (lambda: TypeInference(input_types=["INT"]), "F.get_type_inference failed with TypeError: "),
        (lambda: None, "F.get_type_inference returns None; it is to return a TypeInference"),
        (lambda: Inputs.logical("NUMBER"), "There is no family of types 'NUMBER'; the families are [NUMERIC, "),
        (lambda: Inputs.sequence(5), "sequence: a type or a strategy for one argument is expected, but 5 was given"),
        (lambda: Inputs.sequence(Inputs.comparable()), "but one for all arguments was given. Combine those with or_"),
        (lambda: Inputs.or_(), "or_ takes at least one strategy"),
        (lambda: Inputs.or_(Inputs.ANY), "or_: a strategy for all arguments is expected"),
        (lambda: Inputs.common_type(0), "common_type takes 1 to any number of arguments"),
        (lambda: Inputs.explicit("WHOLE"), "explicit: Cannot read the type"),
    ],
)
def test_wrong_declaration_is_explained(inference: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValidationException) as raised:
        function(inference)
    assert message in str(raised.value)


def test_method_and_strategy_that_take_different_numbers_of_arguments_are_refused() -> None:
    class One(ScalarFunction):
        def eval(self, a: Any) -> Any:
            return a

        def get_type_inference(self) -> TypeInference:
            return TypeInference(input_type_strategy=Inputs.comparable(), output_type_strategy="INT")

    with pytest.raises(
        ValidationException, match=r"One.eval takes \[a: .*\], but .* accepts 2 arguments: One\(<COMPAR"
    ):
        udf(One)


def test_null_of_a_type_keeps_it() -> None:
    table = environment().from_elements([(1,)], ["n"])
    made = table.select(udf(Larger)(null_of(DataTypes.DOUBLE()), col("n")).alias("v"))
    assert repr(made.get_resolved_schema()) == "(`v` DOUBLE)"


def test_types_beside_get_type_inference_are_refused() -> None:
    for given in ({"input_types": ["INT", "INT"]}, {"result_type": "INT"}):
        with pytest.raises(ValidationException, match="Larger declares its types with get_type_inference, but"):
            udf(Larger(), **given)


def test_strategy_of_a_function_made_of_expressions_is_refused() -> None:
    env = environment()
    for given in ([Inputs.COMMON, "INT"], Inputs.common_type(2)):
        with pytest.raises(ValidationException, match="a type is expected, but a strategy was given"):
            env.create_temporary_function("f", lambda a, b: a + b, input_types=given)
        with pytest.raises(ValidationException, match="a type is expected, but a strategy was given"):
            udf(lambda a, b: a + b, input_types=given, result_type="INT")


def test_function_with_strategies_is_stored_and_read_back(tmp_path: Path) -> None:
    env = environment()
    env.get_config().set("python.functions.packages", "tests.user_functions.test_inference")
    env.register_catalog("kept", DirectoryCatalog("kept", str(tmp_path)))
    env.create_function("kept.default.larger", Larger)
    again = environment()
    again.get_config().set("python.functions.packages", "tests.user_functions.test_inference")
    again.register_catalog("kept", DirectoryCatalog("kept", str(tmp_path)))
    found = again.sql_query("SELECT kept.default.larger(NULL, 5.3) AS v")
    assert repr(found.get_resolved_schema()) == "(`v` DECIMAL(2, 1))"
    assert "`larger`(CAST(NULL AS DECIMAL(2, 1)), 5.3)" in found.as_serializable_string()
