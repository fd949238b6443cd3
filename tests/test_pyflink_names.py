"""Every public name of PyFlink's classes exists here, is rejected by name, or is on the list of future work."""

from __future__ import annotations

import inspect

import pytest

from tableapi import (
    EnvironmentSettings,
    Schema,
    StatementSet,
    Table,
    TableConfig,
    TableEnvironment,
    TableException,
    TablePipeline,
    TableResult,
    expressions,
)
from tableapi.advice.refusals import REFUSED

NAMES: dict[type, str] = {
    Table: """
        select alias filter where group_by distinct join left_outer_join right_outer_join full_outer_join join_lateral
        left_outer_join_lateral minus minus_all union union_all intersect intersect_all order_by offset fetch limit
        window over_window add_columns add_or_replace_columns rename_columns drop_columns map flat_map aggregate
        flat_aggregate to_pandas get_schema get_resolved_schema print_schema execute_insert execute explain
        print_explain insert_into to_changelog from_changelog
    """,
    TableEnvironment: """
        create create_catalog register_catalog get_catalog load_module unload_module use_modules
        create_java_temporary_system_function create_temporary_system_function drop_temporary_system_function
        create_java_function drop_function create_java_temporary_function create_temporary_function
        drop_temporary_function create_temporary_table create_table from_path from_descriptor list_catalogs
        list_modules list_full_modules list_databases list_tables list_views list_materialized_tables
        list_user_defined_functions list_functions list_temporary_tables list_temporary_views list_models
        list_temporary_models drop_temporary_table drop_table drop_temporary_view drop_view drop_temporary_model
        drop_model explain_sql sql_query execute_sql create_statement_set get_current_catalog use_catalog
        get_current_database use_database get_config create_temporary_view create_view create_model
        create_temporary_model add_python_file set_python_requirements add_python_archive from_elements from_pandas
        load_plan compile_plan_sql execute_plan
    """,
    StatementSet: "add add_insert_sql attach_as_datastream add_insert explain print_explain execute compile_plan",
    TablePipeline: "execute compile_plan get_identifier explain print_explain",
    TableResult: """
        get_job_client wait get_table_schema get_resolved_schema get_result_kind collect print
    """,
    Schema: "new_builder Builder",
    Schema.Builder: """
        from_schema from_resolved_schema from_row_data_type from_fields column column_by_expression column_by_metadata
        watermark primary_key primary_key_named build
    """,
    TableConfig: """
        get set get_local_timezone set_local_timezone get_max_generated_code_length set_max_generated_code_length
        set_idle_state_retention get_idle_state_retention get_configuration add_configuration to_map get_sql_dialect
        set_sql_dialect set_python_executable get_python_executable get_default
    """,
    EnvironmentSettings: """
        Builder get_built_in_catalog_name get_built_in_database_name is_streaming_mode get_configuration new_instance
        in_streaming_mode in_batch_mode
    """,
}

LATER: dict[type, str] = {}


@pytest.mark.parametrize("cls", NAMES, ids=lambda cls: cls.__qualname__)
def test_every_name_is_here_or_still_to_come(cls: type) -> None:
    later = set(LATER.get(cls, "").split())
    assert [name for name in NAMES[cls].split() if not hasattr(cls, name) and name not in later] == []


@pytest.mark.parametrize(
    ("cls", "name"),
    [
        (cls, name)
        for cls in (TableEnvironment, TablePipeline, StatementSet, TableConfig, EnvironmentSettings)
        for name in REFUSED[cls.__name__]
    ],
    ids=lambda value: value if isinstance(value, str) else value.__qualname__,
)
def test_rejected_names_have_reasons(cls: type, name: str) -> None:
    assert name in NAMES[cls].split()
    method = getattr(cls, name)
    assert inspect.getdoc(method)
    with pytest.raises(TableException, match=rf"^{cls.__name__}\.{name} is not supported: .+\. [A-Z].+\.$"):
        method(None, "anything", whatever=1)


@pytest.mark.parametrize(
    ("cls", "method", "parameters"),
    [
        (Table, "execute_insert", "table_path_or_descriptor overwrite"),
        (Table, "insert_into", "table_path_or_descriptor overwrite"),
        (Table, "explain", "extra_details"),
        (TableEnvironment, "create_table", "path descriptor ignore_if_exists"),
        (TableEnvironment, "create_temporary_table", "path descriptor ignore_if_exists"),
        (TableEnvironment, "drop_table", "table_path ignore_if_not_exists"),
        (TableEnvironment, "drop_temporary_table", "table_path"),
        (TableEnvironment, "explain_sql", "stmt extra_details"),
        (StatementSet, "add_insert", "target_path_or_descriptor table overwrite"),
        (StatementSet, "add_insert_sql", "stmt"),
        (Schema.Builder, "column", "column_name data_type"),
        (Schema.Builder, "column_by_metadata", "column_name data_type metadata_key is_virtual"),
        (Schema.Builder, "watermark", "column_name watermark_expr"),
    ],
)
def test_parameters_have_pyflinks_names(cls: type, method: str, parameters: str) -> None:
    found = [
        name
        for name, parameter in inspect.signature(getattr(cls, method)).parameters.items()
        if parameter.kind is not inspect.Parameter.KEYWORD_ONLY and name != "self"
    ]
    assert found == parameters.split()


@pytest.mark.parametrize("name", REFUSED["expressions"])
def test_rejected_functions_have_reasons(name: str) -> None:
    with pytest.raises(TableException, match=rf"^{name} is not supported: .+\. [A-Z].+\.$"):
        getattr(expressions, name)("anything")


def test_existing_members_are_not_announced() -> None:
    assert [(cls, name) for cls, names in LATER.items() for name in names.split() if hasattr(cls, name)] == []
