"""An environment with the test programs' tables and the functions of these tests; it never starts Spark."""

from __future__ import annotations

from tableapi import TableEnvironment
from tests.process_functions import failing, functions
from tests.programs.tables import environment_without_spark


def environment() -> TableEnvironment:
    env = environment_without_spark()
    for name, function in {**functions.EVERY, **failing.EVERY}.items():
        env.create_temporary_system_function(name, function)
    env.create_temporary_system_function("`by*set`", functions.BySet)
    return env
