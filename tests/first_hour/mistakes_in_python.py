"""A beginner's mistakes with the fluent API: programs whose last line is wrong."""

from __future__ import annotations

import attrs


@attrs.frozen
class Mistake:
    """A program, and the text that its error message must contain.

    The program runs with ``te``, the tables ``orders``, ``customers`` and ``events``, and the names of
    ``tableapi.expressions`` and ``tableapi.window``. Its last statement is the mistake.
    """

    name: str
    program: str
    fix: str


MISTAKES = [
    # Names.
    Mistake("a column is misspelt", "orders.select(col('amuont'))", "'amount'"),
    Mistake("a column is in camel case", "orders.select(col('customerId'))", "'customer_id'"),
    Mistake("two letters of a method are swapped", "orders.fliter(col('amount') > 5)", "'filter'"),
    Mistake("a method of an expression is misspelt", "orders.select(col('status').upper_cas)", "'upper_case'"),
    Mistake("a sort order is misspelt", "orders.order_by(col('amount').dsc)", "'desc'"),
    Mistake("a member of a constant is misspelt", "lit('paid').uper_case", "'upper_case'"),
    Mistake("a method of PySpark", "orders.withColumn('x', lit(1))", "add_or_replace_columns("),
    Mistake("columns of PySpark and pandas", "orders.columns", "get_resolved_schema().names"),
    Mistake("count of PySpark and pandas", "orders.count()", "col('*').count"),
    Mistake("show of PySpark", "orders.show()", "execute().print()"),
    Mistake("collect of PySpark", "orders.collect()", "execute().collect()"),
    Mistake("to_sql of Ibis", "orders.to_sql()", "as_serializable_string()"),
    Mistake("sql of PySpark", "te.sql('SELECT id FROM orders')", "sql_query"),
    Mistake("table of PySpark", "te.table('orders')", "from_path"),
    Mistake("isNull of PySpark", "orders.filter(col('status').isNull())", "is_null"),
    Mistake("str of pandas", "orders.select(orders.status.str.upper())", "upper_case"),
    Mistake("dt of pandas", "orders.select(orders.placed.dt.month)", "extract(TimeIntervalUnit.YEAR)"),
    Mistake("a field of a time", "orders.select(col('placed').month)", "extract(TimeIntervalUnit.MONTH)"),
    Mistake("a type by SQL's other name", "DataTypes.INTEGER()", "DataTypes.INT()"),
    Mistake("a session of PySpark", "from tableapi import SparkSession", "TableEnvironment.create()"),
    Mistake("a function of another module", "from tableapi import col", "from tableapi.expressions import col"),
    Mistake("a window of PySpark", "from tableapi.window import Window", "Over.partition_by("),
    Mistake("a method as a function", "from tableapi.expressions import upper", "upper_case"),
    Mistake("groupBy of PySpark", "orders.groupBy(col('status'))", "group_by"),
    Mistake("agg of PySpark", "orders.group_by(col('status')).agg(col('amount').sum)", "select"),
    Mistake("a function of PySpark's module", "from tableapi.expressions import countDistinct", "distinct"),
    Mistake("value_counts of pandas", "orders.value_counts()", "group_by"),
    Mistake("mutate of Ibis", "orders.mutate(x=lit(1))", "add_or_replace_columns("),
    Mistake("a table that is not there", "te.from_path('order')", "'orders'"),
    Mistake("a database that is not there", "te.from_path('slaes.orders')", "'sales'"),
    Mistake("a function that is not there", "orders.select(call('uper', col('status')))", "UPPER"),
    Mistake("an option of a layout", "orders.as_serializable_string(layout='MERGD')", "'MERGED'"),
    Mistake("a type of a cast is misspelt", "orders.select(col('amount').cast('BIGNT'))", "BIGINT"),
    Mistake("a type in text", "te.declare('facts', {'id': 'BIGNT'})", "BIGINT"),
    # Conditions.
    Mistake("and between conditions", "orders.filter(col('amount') > 5 and col('status') == 'paid')", "&"),
    Mistake("not before a condition", "orders.filter(not col('status').is_null)", "~"),
    Mistake("a chain of comparisons", "orders.filter(1 < col('amount') < 5)", "between"),
    Mistake("in with a list", "orders.filter(col('status') in ['paid', 'open'])", "in_("),
    Mistake(
        "parentheses are missing around comparisons",
        "orders.filter(col('amount') > 5 & col('customer_id') == 3)",
        "parentheses",
    ),
    Mistake("a condition as text", "orders.filter('amount > 5')", "call_sql('amount > 5')"),
    Mistake("a comparison with None", "orders.filter(col('status') == None)", "is_null"),
    Mistake("a comparison with what is not None", "orders.filter(col('status') != None)", "is_not_null"),
    Mistake("a column as a condition", "orders.filter(col('amount'))", "BOOLEAN"),
    Mistake("a comparison of a number with a word", "orders.filter(col('customer_id') == 'Ada')", "'Ada'"),
    Mistake("a list in place of columns", "orders.select([col('status'), col('amount')])", "select(col("),
    Mistake("a list of names", "orders.select(['status', 'amount'])", "select(col('status'), col('amount'))"),
    Mistake("a generator of columns", "orders.select(col(name) for name in ('id', 'status'))", "select(*("),
    Mistake("a column of a call by its name", "orders.select(total=col('amount') * 2)", ".alias('n')"),
    Mistake("a sort order as text", "orders.order_by('amount desc')", "col('amount').desc"),
    Mistake("a sort order as an option", "orders.order_by(col('amount'), ascending=False)", "col('a').desc"),
    Mistake("names as text", "orders.select('status', 'amount')", "col('status')"),
    # Aggregates and windows.
    Mistake("an aggregate beside a column", "orders.select(col('status'), col('amount').sum)", "group_by"),
    Mistake("a column that is no key", "orders.group_by(col('status')).select(col('amount'))", "group_by"),
    Mistake("an aggregate in a filter", "orders.filter(col('amount').sum > 5)", "Select the aggregate"),
    Mistake("an aggregate is called", "orders.select(col('amount').sum())", "without parentheses"),
    Mistake("a method is not called", "orders.select(col('status').substring)", "substring("),
    Mistake("an aggregate of an aggregate", "orders.select(col('amount').sum.max)", "Select the inner"),
    Mistake(
        "a window without a key",
        "events.window(Tumble.over(lit(10).minutes).on(col('at')).alias('w')).select(col('w').start)",
        "group_by",
    ),
    Mistake(
        "a window over a column that is not there",
        "events.window(Tumble.over(lit(10).minutes).on(col('att')).alias('w')).group_by(col('w'))",
        "'at'",
    ),
    Mistake(
        "a window over text",
        "events.window(Tumble.over(lit(10).minutes).on(col('kind')).alias('w')).group_by(col('w'))",
        "TIMESTAMP",
    ),
    Mistake("a length of a window as a number", "Tumble.over(10)", "lit(10).minutes"),
    Mistake(
        "an over window that is not declared",
        "orders.select(col('amount').sum.over(col('w')))",
        "over_window",
    ),
    # Two tables.
    Mistake(
        "two tables with equal names",
        "orders.join(customers.rename_columns(col('id').alias('customer_id')))",
        "customer_id",
    ),
    Mistake("how= of a join", "orders.join(customers, how='left')", "left_outer_join"),
    Mistake("on= of a join", "orders.join(customers, on='id')", "=="),
    Mistake("a name in place of the condition of a join", "orders.join(customers, 'id')", "col('a') == col('b')"),
    Mistake("a join on a column alone", "orders.join(events, col('customer_id'))", "BOOLEAN"),
    Mistake(
        "a union of tables with other types",
        "orders.select(col('amount')).union_all(events.select(col('at')))",
        "TIMESTAMP",
    ),
    Mistake("a union of tables with more columns", "orders.select(col('amount')).union_all(customers)", "column"),
    # Values and types.
    Mistake("rows of other lengths", "te.from_elements([(1, 'a'), (2,)], ['n', 's'])", "2"),
    Mistake("more names than columns", "te.from_elements([(1, 'a')], ['n', 's', 'x'])", "3"),
    Mistake("a decimal without its digits", "orders.select(col('amount').cast(DataTypes.DECIMAL()))", "DECIMAL"),
    Mistake("arithmetic over dates", "customers.select(col('since') + 1.5)", "INTERVAL"),
    Mistake("Python's upper of an expression", "orders.select(col('status').upper())", "upper_case"),
    Mistake("len of an expression", "orders.select(len(col('status')))", "char_length"),
    Mistake("an f-string", "orders.select(f\"{col('status')}!\")", "lit("),
    Mistake("abs of a time", "orders.select(abs(col('placed')))", "TIMESTAMP"),
    Mistake("a function with too few arguments", "orders.select(call('lpad', col('status')))", "LPAD("),
    # The environment.
    Mistake("an argument of a decorator", "udf(lambda x: x, result_type='INT', determinstic=False)", "deterministic"),
    Mistake("no type of a result", "udf(lambda x: x)", "result_type"),
    Mistake(
        "streaming mode",
        "te.get_config().set('execution.runtime-mode', 'streaming')",
        "EnvironmentSettings.in_streaming",
    ),
    Mistake("a view that exists", "te.create_temporary_view('v', orders); te.create_temporary_view('v', orders)", "v"),
    Mistake("several statements at once", "te.execute_sql('SHOW TABLES; SHOW VIEWS')", "execute_script"),
    Mistake(
        "a setting that is not there", "te.get_config().set('table.local-timezone', 'UTC')", "'table.local-time-zone'"
    ),
]
"""At least fifty mistakes that newcomers have made."""
