"""Programs from the tutorial and the introduction: creating tables and fetching their rows."""

from __future__ import annotations

from tests.pyflink_programs.program import Program

PROGRAMS = (
    Program(
        "word_count",
        "tutorial",
        """
from pyflink.table import DataTypes, EnvironmentSettings, TableEnvironment
from pyflink.table.expressions import col
from pyflink.table.udf import udtf

lines = ["the cat sat", "the dog ran", "a cat ran"]
t_env = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
t_env.get_config().set("parallelism.default", "1")
source = t_env.from_elements(
    [(line,) for line in lines], DataTypes.ROW([DataTypes.FIELD("line", DataTypes.STRING())])
)


@udtf(result_types=[DataTypes.STRING()])
def words(line):
    for word in line.split():
        yield word


counted = source.flat_map(words(col("line"))).alias("word").group_by(col("word"))
result = counted.select(col("word"), col("word").count.alias("n"))
result.execute().print()
""",
        [("a", 1), ("cat", 2), ("dog", 1), ("ran", 2), ("sat", 1), ("the", 2)],
    ),
    Program(
        "word_count_with_files",
        "tutorial",
        """
import os
import tempfile

from pyflink.table import (
    DataTypes, EnvironmentSettings, FormatDescriptor, Row, Schema, TableDescriptor, TableEnvironment
)
from pyflink.table.expressions import col, lit
from pyflink.table.udf import udtf

folder = tempfile.mkdtemp()
with open(os.path.join(folder, "text.csv"), "w") as file:
    file.write("to be or not\\nto be\\n")
t_env = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
t_env.create_temporary_table(
    "wc_source",
    TableDescriptor.for_connector("filesystem")
    .schema(Schema.new_builder().column("line", DataTypes.STRING()).build())
    .option("path", folder)
    .format("csv")
    .build(),
)
t_env.create_temporary_table(
    "wc_sink",
    TableDescriptor.for_connector("filesystem")
    .schema(Schema.new_builder().column("word", DataTypes.STRING()).column("count", DataTypes.BIGINT()).build())
    .option("path", os.path.join(folder, "counts"))
    .format(FormatDescriptor.for_format("json").build())
    .build(),
)


@udtf(result_types=["STRING"])
def split(line: Row):
    for word in line[0].split():
        yield Row(word)


tab = t_env.from_path("wc_source")
tab.flat_map(split).alias("word").group_by(col("word")).select(
    col("word"), lit(1).count.alias("count")
).execute_insert("wc_sink").wait()
result = t_env.from_path("wc_sink")
""",
        [("be", 2), ("not", 1), ("or", 1), ("to", 2)],
    ),
    Program(
        "common_structure",
        "introduction",
        """
import tempfile

from pyflink.table import EnvironmentSettings, TableEnvironment

table_env = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
table_env.create_temporary_view("numbers", table_env.from_elements([(1, "one"), (2, "two")], ["id", "data"]))
table_env.execute_sql(f'''
    CREATE TABLE structure_sink (
        id BIGINT,
        data STRING
    ) WITH (
        'connector' = 'filesystem',
        'path' = '{tempfile.mkdtemp()}',
        'format' = 'parquet'
    )
''')
source = table_env.sql_query("SELECT * FROM numbers")
source.select(source.id + 1, source.data).execute_insert("structure_sink").wait()
table_env.execute_sql("INSERT INTO structure_sink SELECT * FROM numbers").wait()
result = list(table_env.from_path("structure_sink").execute().collect())
table_env.drop_table("structure_sink")
""",
        [(1, "one"), (2, "one"), (2, "two"), (3, "two")],
    ),
    Program(
        "from_elements_without_names",
        "introduction",
        """
from pyflink.table import EnvironmentSettings, TableEnvironment

env = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
table = env.from_elements([(1, "Ann"), (2, "Bob")])
result = table.get_schema().get_field_names(), [tuple(row) for row in table.execute().collect()]
""",
        (["_1", "_2"], [(1, "Ann"), (2, "Bob")]),
    ),
    Program(
        "from_elements_with_types",
        "introduction",
        """
from pyflink.table import DataTypes, EnvironmentSettings, TableEnvironment

env = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
row_type = DataTypes.ROW([DataTypes.FIELD("id", DataTypes.TINYINT()), DataTypes.FIELD("data", DataTypes.STRING())])
table = env.from_elements([(1, "Ann"), (2, "Bob")], row_type)
result = str(table.to_pandas()["id"].dtype)
""",
        "int8",
    ),
    Program(
        "from_elements_of_expressions",
        "introduction",
        """
from pyflink.table import DataTypes, EnvironmentSettings, TableEnvironment
from pyflink.table.expressions import lit, row

env = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
rows = env.from_elements([row(1, lit("a").upper_case), row(2, "b")], DataTypes.ROW(
    [DataTypes.FIELD("n", DataTypes.BIGINT()), DataTypes.FIELD("s", DataTypes.STRING())]))
values = env.from_elements([lit(1), lit(2)])
tuples = env.from_elements([(lit(3), lit("x"))], ["n", "s"])
result = rows.union_all(tuples), list(values.execute().collect())
result = [*result[0].execute().collect(), *result[1]]
""",
        [(1,), (1, "A"), (2,), (2, "b"), (3, "x")],
    ),
    Program(
        "rows_with_names",
        "introduction",
        """
from pyflink.common import Row
from pyflink.table import EnvironmentSettings, TableEnvironment

env = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
Person = Row("id", "name")
people = env.from_elements([Person(1, "Ann"), Person(2, "Bob")])
more = env.from_elements([Row(id=3, name="Cy")])
result = [row.as_dict() for row in people.union_all(more).order_by(people.id).execute().collect()]
""",
        [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bob"}, {"id": 3, "name": "Cy"}],
    ),
    Program(
        "temporary_view_as_source",
        "introduction",
        """
from pyflink.table import EnvironmentSettings, TableEnvironment

env = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
env.create_temporary_view("source_table", env.from_elements([(1, "Ann"), (2, "Bob")], ["id", "data"]))
result = env.from_path("source_table").to_pandas()
""",
        [(1, "Ann"), (2, "Bob")],
    ),
    Program(
        "revenue_of_a_country",
        "introduction",
        """
from pyflink.table import EnvironmentSettings, TableEnvironment

env = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
orders = env.from_elements(
    [("Ida", "CHILE", 10), ("Ole", "NORWAY", 30), ("Ida", "CHILE", 25)], ["name", "country", "revenue"]
)
revenue = (
    orders.select(orders.name, orders.country, orders.revenue)
    .where(orders.country == "CHILE")
    .group_by(orders.name)
    .select(orders.name, orders.revenue.sum.alias("total"))
)
result = revenue.to_pandas()
""",
        [("Ida", 35)],
    ),
    Program(
        "map_with_pandas",
        "introduction",
        """
import pandas as pd
from pyflink.table import DataTypes, EnvironmentSettings, TableEnvironment
from pyflink.table.udf import udf

env = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
orders = env.from_elements([("Ida", 10), ("Ole", 30)], ["name", "revenue"])
tenfold = udf(
    lambda x: pd.concat([x.name, x.revenue * 10], axis=1),
    result_type=DataTypes.ROW(
        [DataTypes.FIELD("name", DataTypes.STRING()), DataTypes.FIELD("revenue", DataTypes.BIGINT())]),
    func_type="pandas",
)
result = orders.map(tenfold).alias("name", "revenue").to_pandas()
""",
        [("Ida", 100), ("Ole", 300)],
    ),
    Program(
        "collect_and_print",
        "introduction",
        """
from pyflink.table import EnvironmentSettings, ResultKind, TableEnvironment

env = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
env.create_temporary_view("words", env.from_elements([(1, "a"), (2, "b")], ["n", "w"]))
found = env.execute_sql("SELECT n + 1, w FROM words")
assert found.get_result_kind() == ResultKind.SUCCESS_WITH_CONTENT
with found.collect() as rows:
    result = [row for row in rows]
env.execute_sql("SELECT w FROM words").print()
""",
        [(2, "a"), (3, "b")],
    ),
    Program(
        "schema_of_a_table",
        "introduction",
        """
from pyflink.table import DataTypes, EnvironmentSettings, TableEnvironment

env = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
row_type = DataTypes.ROW([
    DataTypes.FIELD("id", DataTypes.BIGINT()), DataTypes.FIELD("tags", DataTypes.ARRAY(DataTypes.STRING()))])
table = env.from_elements([(1, ["x"])], row_type)
table.print_schema()
schema = table.get_schema()
result = schema.get_field_names(), schema.get_field_count()
""",
        (["id", "tags"], 2),
    ),
    Program(
        "explain_a_union",
        "introduction",
        """
from pyflink.table import EnvironmentSettings, ExplainDetail, TableEnvironment
from pyflink.table.expressions import col

env = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
one = env.from_elements([(1, "hi"), (2, "hello")], ["id", "data"])
other = env.from_elements([(3, "hey")], ["id", "data"])
table = one.where(col("data").like("h%")).union_all(other)
text = table.explain(ExplainDetail.ESTIMATED_COST)
table.print_explain()
result = "SELECT" in text.upper() and "UNION ALL" in text.upper()
""",
        True,
    ),
    Program(
        "explain_several_inserts",
        "introduction",
        """
import tempfile
from pyflink.table import DataTypes, EnvironmentSettings, Schema, TableDescriptor, TableEnvironment
from pyflink.table.expressions import col

env = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
schema = Schema.new_builder().column("id", DataTypes.BIGINT()).column("data", DataTypes.STRING()).build()
for name in ("explained_1", "explained_2"):
    env.create_temporary_table(name, TableDescriptor.for_connector("filesystem").schema(schema)
                               .option("path", tempfile.mkdtemp()).format("csv").build())
table = env.from_elements([(1, "hi"), (2, "hello")], ["id", "data"])
statements = env.create_statement_set()
statements.add_insert("explained_1", table.where(col("data").like("hi%")))
statements.add_insert("explained_2", table)
result = "explained_2" in statements.explain()
""",
        True,
    ),
    Program(
        "print_of_a_pandas_frame_of_limited_rows",
        "conversion of pandas",
        """
import numpy as np
import pandas as pd
from pyflink.table import EnvironmentSettings, TableEnvironment
from pyflink.table.expressions import col

t_env = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
pdf = pd.DataFrame(np.arange(20).reshape(10, 2) / 20)
table = t_env.from_pandas(pdf, ["a", "b"]).filter(col("a") > 0.5)
result = len(table.limit(3).to_pandas())
""",
        3,
    ),
    Program(
        "from_pandas_in_every_form",
        "conversion of pandas",
        """
import pandas as pd
from pyflink.table import DataTypes, EnvironmentSettings, TableEnvironment

t_env = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
pdf = pd.DataFrame([[1.0, 2.0]])
row_type = DataTypes.ROW([DataTypes.FIELD("f0", DataTypes.DOUBLE()), DataTypes.FIELD("f1", DataTypes.DOUBLE())])
tables = [
    t_env.from_pandas(pdf),
    t_env.from_pandas(pdf, ["f0", "f1"]),
    t_env.from_pandas(pdf, [DataTypes.DOUBLE(), DataTypes.DOUBLE()]),
    t_env.from_pandas(pdf, row_type),
    t_env.from_pandas(pdf, ["f0", "f1"], splits_num=2),
]
result = [row for table in tables for row in table.execute().collect()]
""",
        [(1.0, 2.0)] * 5,
    ),
)
