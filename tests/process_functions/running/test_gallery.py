"""The page of the process table function examples matches their output."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import examples.process_functions
from examples.process_functions.__main__ import page
from tableapi import TableEnvironment

pytestmark = pytest.mark.long


def test_the_page_equals_the_output_of_the_examples(spark: SparkSession) -> None:
    shown = Path(examples.process_functions.__file__).with_name("README.md").read_text(encoding="utf-8")
    assert page(TableEnvironment.create(spark=spark.newSession())) == shown
