"""Process table functions (FLIP-440): the names that a program needs to declare them."""

from __future__ import annotations

from ir.functions.process import ProcessArgument, ProcessSignature
from ir.inference.usage import WindowUsage
from tableapi.process_functions.type_inference import CallContext, StaticArgument, TypeInference, function_hint
from tableapi.spark.runtime.process.context import Context, Instant, OnTimerContext, SetSemantics, Timers
from tableapi.spark.runtime.process.declarations import (
    ArgumentHint,
    ArgumentTrait,
    ChangelogMode,
    ColumnList,
    ListView,
    MapView,
    ProcessTableFunction,
    State,
    StateHint,
    StateRow,
    TableAsRow,
    TableAsSet,
)

__all__ = [
    "ArgumentHint",
    "ArgumentTrait",
    "CallContext",
    "ChangelogMode",
    "ColumnList",
    "Context",
    "Instant",
    "ListView",
    "MapView",
    "OnTimerContext",
    "ProcessArgument",
    "ProcessSignature",
    "ProcessTableFunction",
    "SetSemantics",
    "State",
    "StateHint",
    "StateRow",
    "StaticArgument",
    "TableAsRow",
    "TableAsSet",
    "Timers",
    "TypeInference",
    "WindowUsage",
    "function_hint",
]
