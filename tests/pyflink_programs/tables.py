"""Programs from the pages on environments, catalogs, connectors, SQL, data types and configuration."""

from __future__ import annotations

from decimal import Decimal

from ir.migration_page import Section
from tests.pyflink_programs.program import Program

_START = """
import os
import tempfile
from pyflink.table import (
    DataTypes, EnvironmentSettings, ExplainDetail, FormatDescriptor, Schema, TableDescriptor, TableEnvironment
)
from pyflink.table.expressions import col, lit

t_env = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
pairs = t_env.from_elements([(1, "hi"), (2, "hello")], ["id", "data"])
schema = Schema.new_builder().column("id", DataTypes.BIGINT()).column("data", "STRING").build()


def files(file_format, **options):
    builder = TableDescriptor.for_connector("filesystem").schema(schema).format(file_format)
    return builder.option("path", tempfile.mkdtemp()).build()

"""


def _program(name: str, page: str, text: str, expected: object = None, refused: str | None = None) -> Program:
    return Program(name, page, f"{_START}{text}", expected, refused)


PROGRAMS = (
    _program(
        "multi_sink",
        "statement sets",
        """
t_env.create_temporary_table("multi_sink_1", files("csv"))
t_env.create_temporary_table("multi_sink_2", files("json"))
t_env.create_temporary_view("multi_source", pairs)
statements = t_env.create_statement_set()
statements.add_insert("multi_sink_1", pairs.where(col("id") == 1))
statements.add_insert_sql("INSERT INTO multi_sink_2 SELECT id, data FROM multi_source WHERE id > 1")
statements.execute().wait()
result = t_env.from_path("multi_sink_1").union_all(t_env.from_path("multi_sink_2"))
""",
        [(1, "hi"), (2, "hello")],
    ),
    _program(
        "pipelines_in_a_statement_set",
        "statement sets",
        """
t_env.create_temporary_table("pipeline_sink", files("parquet"))
pipeline = pairs.insert_into("pipeline_sink")
t_env.create_statement_set().add(pipeline).execute().wait()
result = t_env.from_path("pipeline_sink")
""",
        [(1, "hi"), (2, "hello")],
    ),
    _program(
        "overwriting",
        "connectors",
        """
t_env.create_temporary_table("overwritten", files("parquet"))
pairs.execute_insert("overwritten").wait()
pairs.where(col("id") == 2).execute_insert("overwritten", True).wait()
result = t_env.from_path("overwritten")
""",
        [(2, "hello")],
    ),
    _program(
        "from_descriptor",
        "connectors",
        """
descriptor = files("json")
pairs.execute_insert(descriptor).wait()
result = t_env.from_descriptor(descriptor)
""",
        [(1, "hi"), (2, "hello")],
    ),
    _program(
        "csv_with_options",
        "connectors",
        """
folder = tempfile.mkdtemp()
with open(os.path.join(folder, "data.csv"), "w") as file:
    file.write("1;'a;b'\\n2;c\\n")
csv = FormatDescriptor.for_format("csv").option("field-delimiter", ";").option("quote-character", "'").build()
t_env.create_temporary_table(
    "csv_source", TableDescriptor.for_connector("filesystem").schema(schema).option("path", folder).format(csv).build())
result = t_env.from_path("csv_source")
""",
        [(1, "a;b"), (2, "c")],
    ),
    _program(
        "partitioned_files",
        "connectors",
        """
descriptor = (TableDescriptor.for_connector("filesystem").schema(schema).partitioned_by("data")
              .option("path", tempfile.mkdtemp()).format("parquet").build())
t_env.create_temporary_table("partitioned_files", descriptor)
pairs.execute_insert("partitioned_files").wait()
result = t_env.from_path("partitioned_files").where(col("data") == "hi")
""",
        [(1, "hi")],
    ),
    _program(
        "processing_json",
        "connectors",
        """
folder = tempfile.mkdtemp()
with open(os.path.join(folder, "data.json"), "w") as file:
    file.write('{"id": 1, "who": {"name": "Ann", "tags": ["x", "y"]}}\\n')
who = DataTypes.ROW([
    DataTypes.FIELD("name", DataTypes.STRING()), DataTypes.FIELD("tags", DataTypes.ARRAY(DataTypes.STRING()))])
nested = Schema.new_builder().column("id", DataTypes.BIGINT()).column("who", who).build()
t_env.create_temporary_table("json_source", TableDescriptor.for_connector("filesystem").schema(nested)
                             .option("path", folder).format("json").build())
result = t_env.from_path("json_source").select(col("id"), col("who").get("name"), col("who").tags.at(2))
""",
        [(1, "Ann", "y")],
    ),
    _program(
        "create_table_in_sql",
        "SQL",
        """
t_env.execute_sql(f'''
    CREATE TABLE sql_sink (
        id BIGINT NOT NULL,
        price DECIMAL(10, 2),
        PRIMARY KEY (id) NOT ENFORCED
    ) WITH ('connector' = 'filesystem', 'path' = '{tempfile.mkdtemp()}', 'format' = 'orc')
''')
t_env.execute_sql("INSERT INTO sql_sink VALUES (1, 1.5), (2, 2.25)").wait()
result = list(t_env.sql_query("SELECT id, price FROM sql_sink").execute().collect())
t_env.execute_sql("DROP TABLE sql_sink")
""",
        [(1, Decimal("1.50")), (2, Decimal("2.25"))],
    ),
    _program(
        "sql_over_views",
        "SQL",
        """
rows = [("rubber", 3), ("paper", 5), ("rubber", 4)]
t_env.create_temporary_view("sql_orders", t_env.from_elements(rows, ["product", "amount"]))
result = t_env.sql_query(
    "SELECT product, SUM(amount) AS total FROM sql_orders WHERE product LIKE '%b%' GROUP BY product")
""",
        [("rubber", 7)],
    ),
    _program(
        "sql_windows",
        "SQL",
        """
t_env.execute_sql('''
    CREATE TEMPORARY VIEW bids AS
    SELECT * FROM (
        VALUES (TIMESTAMP '2024-01-01 10:05:00', 4.0), (TIMESTAMP '2024-01-01 10:07:00', 2.0)
    ) AS b(ts, price)
''')
found = t_env.sql_query('''
    SELECT window_end, SUM(price) AS price
    FROM TABLE(TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL '10' MINUTES))
    GROUP BY window_start, window_end
''')
result = [float(row[1]) for row in found.execute().collect()]
""",
        [6.0],
    ),
    _program(
        "explain_in_sql",
        "SQL",
        """
t_env.create_temporary_view("explained", pairs)
text = t_env.explain_sql("SELECT id FROM explained WHERE id > 1", ExplainDetail.JSON_EXECUTION_PLAN)
result = "explained" in text and t_env.execute_sql("EXPLAIN SELECT id FROM explained").get_resolved_schema() is not None
""",
        True,
    ),
    _program(
        "show_and_describe",
        "SQL",
        """
t_env.create_temporary_view("described", pairs)
names = [row[0] for row in t_env.execute_sql("DESCRIBE described").collect()]
result = names, "described" in t_env.list_temporary_views(), t_env.execute_sql("SHOW CATALOGS").get_result_kind().name
""",
        (["id", "data"], True, "SUCCESS_WITH_CONTENT"),
    ),
    _program(
        "set_and_reset",
        "SQL",
        """
t_env.execute_sql("SET 'table.local-time-zone' = 'Europe/Berlin'")
result = t_env.get_config().get_local_timezone()
t_env.execute_sql("RESET 'table.local-time-zone'")
""",
        "Europe/Berlin",
    ),
    _program(
        "a_table_in_a_text",
        "SQL",
        'result = list(t_env.execute_sql("SELECT id + 1, data FROM %s" % pairs).collect())',
        refused=Section.TABLES_IN_TEXT,
    ),
    _program(
        "settings",
        "environments",
        """
settings = EnvironmentSettings.new_instance().in_batch_mode().with_built_in_catalog_name("my_catalog") \\
    .with_built_in_database_name("my_database").build()
other = TableEnvironment.create(settings)
result = other.get_current_catalog(), other.get_current_database(), settings.is_streaming_mode()
""",
        ("my_catalog", "my_database", False),
    ),
    _program(
        "configuration",
        "environments",
        """
config = t_env.get_config()
config.set("parallelism.default", "8").set("python.fn-execution.bundle.size", "1000")
config.set_local_timezone("America/New_York")
result = config.get("parallelism.default", "1"), config.get_local_timezone()
""",
        ("8", "America/New_York"),
    ),
    _program(
        "views_and_tables_of_an_environment",
        "environments",
        """
t_env.create_temporary_view("view_of_pairs", pairs)
t_env.create_temporary_table("table_of_files", files("csv"))
found = "view_of_pairs" in t_env.list_temporary_views(), "table_of_files" in t_env.list_temporary_tables()
result = *found, t_env.drop_temporary_view("view_of_pairs"), t_env.drop_temporary_table("table_of_files")
""",
        (True, True, True, True),
    ),
    _program(
        "permanent_views_and_tables",
        "environments",
        """
t_env.create_table("permanent_files", files("parquet"))
pairs.execute_insert("permanent_files").wait()
t_env.create_view("permanent_view", t_env.from_path("permanent_files").select(col("id")), ignore_if_exists=True)
result = list(t_env.from_path("permanent_view").execute().collect())
t_env.drop_view("permanent_view")
t_env.drop_table("permanent_files", ignore_if_not_exists=True)
""",
        [(1,), (2,)],
    ),
    _program(
        "create_and_use_catalogs",
        "catalogs",
        """
from pyflink.table.catalog import CatalogDescriptor

t_env.create_catalog("made_catalog", CatalogDescriptor.of("made_catalog", {"type": "generic_in_memory"}))
t_env.use_catalog("made_catalog")
t_env.execute_sql("CREATE DATABASE made_database")
t_env.use_database("made_database")
t_env.execute_sql("CREATE VIEW made_view AS SELECT 1 AS one")
result = t_env.get_current_catalog(), t_env.get_current_database(), t_env.list_databases(), t_env.list_views()
""",
        ("made_catalog", "made_database", ["default_database", "made_database"], ["made_view"]),
    ),
    _program(
        "databases_of_a_catalog",
        "catalogs",
        """
from pyflink.table.catalog import CatalogDatabase, CatalogDescriptor

t_env.create_catalog("shelf", CatalogDescriptor.of("shelf", {"type": "generic_in_memory"}))
catalog = t_env.get_catalog("shelf")
catalog.create_database("mydb", CatalogDatabase.create_instance({"k1": "v1"}, "mine"), False)
catalog.create_database("mydb", CatalogDatabase.create_instance({}, None), True)
found = catalog.get_database("mydb").get_properties(), catalog.database_exists("mydb"), catalog.list_databases()
catalog.drop_database("mydb", False)
catalog.drop_database("mydb", True)
result = *found, catalog.get_default_database()
""",
        ({"k1": "v1"}, True, ["default_database", "mydb"], "default_database"),
    ),
    _program(
        "tables_of_a_catalog",
        "catalogs",
        """
from pyflink.table.catalog import CatalogDescriptor, ObjectPath

t_env.create_catalog("shelf", CatalogDescriptor.of("shelf", {"type": "generic_in_memory"}))
t_env.use_catalog("shelf")
catalog = t_env.get_catalog("shelf")
path = ObjectPath("default_database", "stored")
t_env.create_table("shelf.default_database.stored", files("csv"))
found = catalog.table_exists(path), catalog.list_tables("default_database"), catalog.get_table(path).schema.names
catalog.drop_table(path, False)
catalog.drop_table(path, True)
result = *found, catalog.table_exists(path), catalog.function_exists(ObjectPath.from_string("default_database.f"))
""",
        (True, ["stored"], ("id", "data"), False, False),
    ),
    _program(
        "data_types",
        "data types",
        """
row_type = DataTypes.ROW([
    DataTypes.FIELD("i", DataTypes.INT().not_null()),
    DataTypes.FIELD("d", DataTypes.DECIMAL(10, 2)),
    DataTypes.FIELD("a", DataTypes.ARRAY(DataTypes.BIGINT())),
    DataTypes.FIELD("m", DataTypes.MAP(DataTypes.STRING(), DataTypes.INT())),
    DataTypes.FIELD("b", DataTypes.BYTES()),
    DataTypes.FIELD("t", DataTypes.TIMESTAMP(3)),
    DataTypes.FIELD("v", DataTypes.VARCHAR(20)),
])
made = Schema.new_builder().from_row_data_type(row_type).primary_key("i").build()
by_text = Schema.new_builder().column("i", "INT NOT NULL").column("d", "DECIMAL(10, 2)").build()
fields = Schema.new_builder().from_fields(["x", "y"], [DataTypes.INT(), DataTypes.STRING()]).build()
result = len(str(made)) > 0 and len(str(by_text)) > 0 and fields == Schema.new_builder().from_schema(fields).build()
""",
        True,
    ),
    # Features that only streams, Java or Flink's own services have.
    Program(
        "streaming_mode",
        "introduction",
        """
from pyflink.table import EnvironmentSettings, TableEnvironment

env_settings = EnvironmentSettings.in_streaming_mode()
table_env = TableEnvironment.create(env_settings)
result = table_env.from_elements([(1, "a")], ["id", "data"])
""",
        [(1, "a")],
    ),
    Program(
        "streaming_mode_of_a_builder",
        "environments",
        """
from pyflink.table import EnvironmentSettings, TableEnvironment

settings = EnvironmentSettings.new_instance().in_streaming_mode().build()
result = settings.is_streaming_mode(), TableEnvironment.create(settings).get_current_catalog()
""",
        (True, "spark_catalog"),
    ),
    Program(
        "tables_and_streams",
        "conversion of streams",
        """
from pyflink.common import Row
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.table import StreamTableEnvironment

env = StreamExecutionEnvironment.get_execution_environment()
t_env = StreamTableEnvironment.create(env)
stream = env.from_collection([Row("Ann", 1), Row("Bob", 2)])
result = t_env.from_data_stream(stream)
""",
        refused=Section.STREAMS,
    ),
    Program(
        "configuration_of_an_environment",
        "environments",
        """
from pyflink.common import Configuration
from pyflink.table import EnvironmentSettings, TableEnvironment

config = Configuration()
config.set_string("parallelism.default", "2")
settings = EnvironmentSettings.new_instance().in_batch_mode().with_configuration(config).build()
result = TableEnvironment.create(settings)
""",
        refused=Section.CONFIGURATION,
    ),
    _program(
        "datagen",
        "connectors",
        """
t_env.execute_sql('''
    CREATE TABLE random_source (id BIGINT, data TINYINT)
    WITH ('connector' = 'datagen', 'fields.id.kind' = 'sequence', 'fields.id.start' = '1', 'fields.id.end' = '3')
''')
result = t_env.from_path("random_source")
""",
        refused=Section.CONNECTORS,
    ),
    _program(
        "print_sink",
        "connectors",
        """
t_env.create_temporary_table("print_sink", TableDescriptor.for_connector("print").schema(schema).build())
result = pairs.execute_insert("print_sink")
""",
        refused=Section.CONNECTORS,
    ),
    _program(
        "upsert_kafka",
        "connectors",
        """
t_env.execute_sql('''
    CREATE TABLE kafka_source (a VARCHAR, PRIMARY KEY (a) NOT ENFORCED) WITH (
        'connector' = 'upsert-kafka', 'topic' = 'in', 'properties.bootstrap.servers' = 'host:9092',
        'key.format' = 'json', 'value.format' = 'json')
''')
result = t_env.from_path("kafka_source")
""",
        refused=Section.CONNECTORS,
    ),
    _program(
        "jar_of_a_connector",
        "connectors",
        """
t_env.get_config().set("pipeline.jars", "file:///my/connector.jar")
t_env.add_python_file("/my/module.py")
result = None
""",
        refused=Section.CONFIGURATION,
    ),
    _program(
        "hive_catalog",
        "catalogs",
        """
from pyflink.table.catalog import HiveCatalog

t_env.register_catalog("myhive", HiveCatalog("myhive", None, "/opt/hive-conf"))
result = t_env.list_catalogs()
""",
        refused=Section.JAVA,
    ),
    _program(
        "jdbc_catalog",
        "catalogs",
        """
t_env.execute_sql('''
    CREATE CATALOG my_jdbc WITH ('type' = 'jdbc', 'base-url' = 'jdbc:postgresql://host:5432', 'username' = 'x')
''')
result = t_env.list_catalogs()
""",
        refused=Section.CATALOGS,
    ),
    _program(
        "table_in_a_catalog_object",
        "catalogs",
        """
from pyflink.table.catalog import CatalogBaseTable

result = CatalogBaseTable.create_table(schema, {}, "mine")
""",
        refused=Section.CATALOGS,
    ),
    _program(
        "modules",
        "environments",
        """
from pyflink.table import Module, ModuleEntry

t_env.load_module("my_module", Module("hive"))
result = t_env.list_modules()
""",
        refused=Section.MODULES,
    ),
    _program("modules_in_sql", "SQL", 'result = t_env.execute_sql("SHOW FULL MODULES")', refused=Section.MODULES),
    _program(
        "models",
        "environments",
        """
from pyflink.table import ModelDescriptor

result = t_env.create_model("m", ModelDescriptor.for_provider("openai").build())
""",
        refused=Section.MODULES,
    ),
    _program(
        "compiled_plan",
        "environments",
        """
result = t_env.compile_plan_sql("INSERT INTO sink SELECT 1").write_to_file("/tmp/plan.json")
""",
        refused=Section.PLANS,
    ),
    _program(
        "processing_time",
        "SQL",
        'result = t_env.sql_query("SELECT PROCTIME()")',
        refused=Section.STREAMS,
    ),
    _program(
        "idle_state",
        "environments",
        """
import datetime

t_env.get_config().set_idle_state_retention(datetime.timedelta(days=1))
result = None
""",
        refused=Section.STREAMS,
    ),
)
