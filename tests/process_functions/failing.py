"""Functions with a type inference that fails for some calls."""

from typing import Any

from tableapi import DataTypes, Row
from tableapi.process_functions import (
    ArgumentTrait,
    ProcessTableFunction,
    StateRow,
    StaticArgument,
    TypeInference,
)


class NoOutput(ProcessTableFunction):
    """A function without an output type for any call."""

    def get_type_inference(self) -> TypeInference:
        return TypeInference([], lambda call: None)

    def eval(self) -> Any:
        yield 1


class FailingOutput(ProcessTableFunction):
    """A function with a different mistake for each argument value."""

    def get_type_inference(self) -> TypeInference:
        mistakes = [
            lambda call: 1 // 0,
            lambda call: "WHOLE",
            lambda call: "INTERVAL YEAR TO MONTH",
            lambda call: call.get_argument_data_type("what"),
        ]
        return TypeInference(
            [StaticArgument.scalar("which", DataTypes.INT())],
            lambda call: mistakes[call.get_argument_value("which")](call),
        )

    def eval(self, which: int) -> Any:
        yield 1


class FailingState(ProcessTableFunction):
    """A state without a type, or with a type that is no row."""

    def get_type_inference(self) -> TypeInference:
        return TypeInference(
            [
                StaticArgument.table("r", Row, False, ArgumentTrait.TABLE_AS_SET),
                StaticArgument.scalar("which", DataTypes.INT()),
            ],
            "INT",
            {"state": lambda call: [None, DataTypes.INT()][call.get_argument_value(1)]},
        )

    def eval(self, state: StateRow, r: Row, which: int) -> Any:
        yield 1


EVERY = {"no_output": NoOutput, "failing_output": FailingOutput, "failing_state": FailingState}
