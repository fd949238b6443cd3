"""Programs from the pages on table operations."""

from __future__ import annotations

import datetime as dt

from tests.pyflink_programs.program import Program

_START = """
import datetime
from pyflink.table import DataTypes, EnvironmentSettings, TableEnvironment
from pyflink.table.expressions import *
from pyflink.table.window import Over, Session, Slide, Tumble

t_env = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
orders = t_env.from_elements(
    [
        ("Ann", "US", 10.0, datetime.datetime(2024, 1, 1, 10, 5)),
        ("Ann", "US", 20.0, datetime.datetime(2024, 1, 1, 10, 50)),
        ("Bob", "DE", 5.0, datetime.datetime(2024, 1, 1, 11, 30)),
        ("Cy", "DE", 7.0, datetime.datetime(2024, 1, 1, 13, 0)),
    ],
    DataTypes.ROW([
        DataTypes.FIELD("name", DataTypes.STRING()),
        DataTypes.FIELD("country", DataTypes.STRING()),
        DataTypes.FIELD("amount", DataTypes.DOUBLE()),
        DataTypes.FIELD("rowtime", DataTypes.TIMESTAMP(3)),
    ]),
)
left = t_env.from_elements([(1, "a"), (2, "b"), (2, "b"), (3, "c")], ["id", "l"])
right = t_env.from_elements([(2, "b"), (3, "c"), (4, "d")], ["rid", "r"])
"""


def _at(hour: int, minute: int = 0) -> dt.datetime:
    return dt.datetime(2024, 1, 1, hour, minute)


def _program(name: str, text: str, expected: object, page: str = "operations") -> Program:
    return Program(name, page, f"{_START}{text}", expected)


PROGRAMS = (
    _program(
        "select_and_alias",
        "result = orders.select(orders.name, (orders.amount * 2).alias('twice')).where(col('twice') > 20)",
        [("Ann", 40.0)],
    ),
    _program(
        "select_all",
        "result = left.select(col('*')).union_all(left.select(with_all_columns()))",
        [
            (1, "a"),
            (1, "a"),
            (2, "b"),
            (2, "b"),
            (2, "b"),
            (2, "b"),
            (3, "c"),
            (3, "c"),
        ],
    ),
    _program("alias_columns", "result = left.alias('x', 'y').get_schema().get_field_names()", ["x", "y"]),
    _program(
        "filter_with_modulo",
        "result = left.filter((col('id') % 2 == 0) & (col('l').is_not_null))",
        [(2, "b"), (2, "b")],
    ),
    _program(
        "add_columns",
        """
more = left.add_columns(concat(left.l, '!').alias('loud'))
more = more.add_or_replace_columns(concat(col('l'), '?').alias('loud'))
more = more.rename_columns(col('loud').alias('asked')).drop_columns(col('id'))
result = more.distinct()
""",
        [("a", "a?"), ("b", "b?"), ("c", "c?")],
    ),
    _program(
        "columns_by_position_and_name",
        """
wide = t_env.from_elements([(1, 2, 3, 4)], ["a", "b", "c", "d"])
result = [
    tuple(wide.select(with_columns(range_(2, 3))).get_schema().get_field_names()),
    tuple(wide.select(with_columns('a', range_('c', 'd'))).get_schema().get_field_names()),
    tuple(wide.select(without_columns(1, col('d'))).get_schema().get_field_names()),
]
""",
        [("a", "c", "d"), ("b", "c"), ("b", "c")],
    ),
    _program(
        "group_by",
        "result = orders.group_by(col('country')).select(col('country'), col('amount').sum.alias('total'))",
        [("DE", 12.0), ("US", 30.0)],
    ),
    _program(
        "distinct_aggregate",
        """
result = orders.group_by(orders.country).select(
    orders.country, orders.name.count.distinct.alias('names'), orders.amount.max.alias('most'))
""",
        [("DE", 2, 7.0), ("US", 1, 20.0)],
    ),
    _program(
        "tumbling_windows",
        """
result = (
    orders.window(Tumble.over(lit(1).hours).on(col('rowtime')).alias('w'))
    .group_by(col('name'), col('w'))
    .select(col('name'), col('w').start, col('w').end, col('w').rowtime, col('amount').sum.alias('total'))
)
""",
        [
            ("Ann", _at(10), _at(11), dt.datetime(2024, 1, 1, 10, 59, 59, 999000), 30.0),
            ("Bob", _at(11), _at(12), dt.datetime(2024, 1, 1, 11, 59, 59, 999000), 5.0),
            ("Cy", _at(13), _at(14), dt.datetime(2024, 1, 1, 13, 59, 59, 999000), 7.0),
        ],
        "windows",
    ),
    _program(
        "sliding_windows",
        """
result = (
    orders.filter(col('name') == 'Ann')
    .window(Slide.over(lit(1).hours).every(lit(30).minutes).on(col('rowtime')).alias('w'))
    .group_by(col('w'))
    .select(col('w').start, col('amount').sum)
)
""",
        [(_at(9, 30), 10.0), (_at(10), 30.0), (_at(10, 30), 20.0)],
        "windows",
    ),
    _program(
        "session_windows",
        """
result = (
    orders.window(Session.with_gap(lit(1).hours).on(col('rowtime')).alias('w'))
    .group_by(col('w'))
    .select(col('w').start, col('w').end, col('amount').count)
)
""",
        [(_at(10, 5), _at(12, 30), 3), (_at(13), _at(14), 1)],
        "windows",
    ),
    _program(
        "over_windows",
        """
ordered = orders.over_window(
    Over.partition_by(col('country')).order_by(col('rowtime'))
    .preceding(UNBOUNDED_RANGE).following(CURRENT_RANGE).alias('w'))
result = ordered.select(
    col('name'), col('amount').sum.over(col('w')).alias('total'), col('amount').min.over(col('w')).alias('least'))
""",
        [("Ann", 10.0, 10.0), ("Ann", 30.0, 10.0), ("Bob", 5.0, 5.0), ("Cy", 12.0, 5.0)],
        "windows",
    ),
    _program(
        "over_windows_of_rows",
        """
result = orders.over_window(
    Over.order_by(col('rowtime')).preceding(row_interval(1)).following(CURRENT_ROW).alias('w')
).select(col('name'), col('amount').avg.over(col('w')))
""",
        [("Ann", 10.0), ("Ann", 15.0), ("Bob", 12.5), ("Cy", 6.0)],
        "windows",
    ),
    _program(
        "inner_join",
        "result = left.join(right).where(left.id == right.rid).select(left.l, right.r)",
        [("b", "b"), ("b", "b"), ("c", "c")],
        "joins",
    ),
    _program(
        "outer_joins",
        """
on = left.id == right.rid
result = [
    left.left_outer_join(right, on).execute().collect(),
    left.right_outer_join(right, on).execute().collect(),
    left.full_outer_join(right, on).execute().collect(),
]
result = [(name, len(list(rows))) for name, rows in zip(('left', 'right', 'full'), result)]
""",
        [("full", 5), ("left", 4), ("right", 4)],
        "joins",
    ),
    _program(
        "join_with_a_table_function",
        """
from pyflink.table.udf import udtf

@udtf(result_types=['STRING', 'BIGINT'])
def split(text):
    for part in text.split(','):
        yield part, len(part)

lists = t_env.from_elements([(1, 'aa,b'), (2, 'c')], ['id', 'text'])
joined = lists.join_lateral(split(col('text')).alias('part', 'size'))
kept = lists.left_outer_join_lateral(split(col('text')).alias('part', 'size'))
result = joined.union(kept).select(col('id'), col('part'), col('size'))
""",
        [(1, "aa", 2), (1, "b", 1), (2, "c", 1)],
        "joins",
    ),
    _program(
        "union_and_union_all",
        "result = [(left.union(right).to_pandas().shape[0], left.union_all(right).to_pandas().shape[0])]",
        [(4, 7)],
        "set operations",
    ),
    _program(
        "intersect",
        "result = [(left.intersect(right).to_pandas().shape[0], left.intersect_all(right).to_pandas().shape[0])]",
        [(2, 2)],
        "set operations",
    ),
    _program("minus", "result = left.minus(right)", [(1, "a")], "set operations"),
    _program("minus_all", "result = left.minus_all(right)", [(1, "a"), (2, "b")], "set operations"),
    _program(
        "in_a_table",
        "result = left.select(col('id'), col('l')).where(left.id.in_(right.select(right.rid)))",
        [(2, "b"), (2, "b"), (3, "c")],
        "set operations",
    ),
    _program(
        "order_offset_fetch",
        """
ordered = orders.order_by(orders.amount.desc)
result = [row[0] for row in ordered.offset(1).fetch(2).select(col('name')).execute().collect()]
result = result, len(list(ordered.limit(1).execute().collect()))
""",
        (["Ann", "Cy"], 1),
        "order",
    ),
    _program(
        "arithmetic",
        """
numbers = t_env.from_elements([(7, 2)], ['a', 'b'])
result = numbers.select(
    col('a') + col('b'), col('a') - 1, 2 * col('a'), col('a') % col('b'), -col('a'), col('a') ** col('b'),
    col('a').sqrt.floor(), (col('a') > 3) & ~(col('b') == 1), (col('a') / col('b')).round(1))
""",
        [(9, 6, 14, 1, -7, 49.0, 2, True, 3.5)],
        "system functions",
    ),
    _program(
        "functions_of_text",
        """
texts = t_env.from_elements([('  Table API ',)], ['s'])
result = texts.select(
    col('s').trim(), col('s').upper_case, col('s').trim().char_length, col('s').trim().substring(1, 5),
    col('s').like('%API%'), col('s').replace('API', 'SQL').trim(), concat_ws('-', 'a', col('s').trim()),
    lit('ab').lpad(4, '*'), col('s').position('x'), lit('a,b').split_index(',', 1))
""",
        [("Table API", "  TABLE API ", 9, "Table", True, "Table SQL", "a-Table API", "**ab", 0, "b")],
        "system functions",
    ),
    _program(
        "functions_of_times",
        """
result = orders.filter(col('name') == 'Cy').select(
    col('rowtime').extract(TimeIntervalUnit.HOUR), col('rowtime').floor(TimeIntervalUnit.DAY),
    col('rowtime') + lit(2).days, date_format(col('rowtime'), 'yyyy-MM-dd'),
    timestamp_diff(TimePointUnit.HOUR, col('rowtime'), lit('2024-01-02 13:00:00').to_timestamp))
""".replace("result =", "from pyflink.table.expression import TimeIntervalUnit, TimePointUnit\nresult =", 1),
        [(13, _at(0), dt.datetime(2024, 1, 3, 13), "2024-01-01", 24)],
        "system functions",
    ),
    _program(
        "conditions_and_null",
        """
result = right.select(
    if_then_else(right.rid > 2, 'big', 'small'), (right.rid == 2).then(1, 0),
    null_of(DataTypes.INT()).if_null(5), coalesce(null_of(DataTypes.STRING()), right.r),
    right.rid.between(3, 4), right.rid.in_(2, 9)).where(right.rid < 4)
""".replace(".where(right.rid < 4)", ""),
        [("big", 0, 5, "c", True, False), ("big", 0, 5, "d", True, False), ("small", 1, 5, "b", False, True)],
        "system functions",
    ),
    _program(
        "arrays_maps_and_rows",
        """
nested = t_env.from_elements([([1, 2, 3], {'k': 'v'}, (1, 'x'))], DataTypes.ROW([
    DataTypes.FIELD('a', DataTypes.ARRAY(DataTypes.INT())),
    DataTypes.FIELD('m', DataTypes.MAP(DataTypes.STRING(), DataTypes.STRING())),
    DataTypes.FIELD('r', DataTypes.ROW(
        [DataTypes.FIELD('n', DataTypes.INT()), DataTypes.FIELD('s', DataTypes.STRING())])),
]))
result = nested.select(
    col('a').at(1), col('a').cardinality, col('m').at('k'), col('r').get('s'), col('r').n, array(1, 2).at(2),
    map_('x', 1).at('x'), row(1, 'y'))
""",
        [(1, 3, "v", "x", 1, 2, 1, (1, "y"))],
        "system functions",
    ),
    _program(
        "casts",
        """
result = t_env.from_elements([('42',)], ['s']).select(
    col('s').cast(DataTypes.INT()), col('s').cast('BIGINT'), lit('x').try_cast(DataTypes.INT()), lit(1, 'DOUBLE'),
    lit(2).cast(DataTypes.DECIMAL(10, 2)).cast('STRING'), null_of('INT'))
""",
        [(42, 42, None, 1.0, "2.00", None)],
        "system functions",
    ),
    _program(
        "json",
        """
from pyflink.table.expression import JsonOnNull, JsonType
texts = t_env.from_elements([('{"a": [1, 2], "b": "x"}',)], ['j'])
result = texts.select(
    col('j').is_json(JsonType.OBJECT), col('j').json_value('$.b'), col('j').json_exists('$.c'),
    col('j').json_query('$.a'), json_object(JsonOnNull.NULL, 'k', 1), json_string(lit(1)))
""",
        [(True, "x", False, "[1,2]", '{"k":1}', "1")],
        "system functions",
    ),
    _program(
        "aggregates",
        """
result = orders.select(
    col('amount').count, col('amount').avg, col('amount').min, col('amount').max, col('amount').sum0,
    col('name').count.distinct, col('amount').stddev_pop.round(2), lit(1).count)
""",
        [(4, 10.5, 5.0, 20.0, 42.0, 3, 5.77, 4)],
        "system functions",
    ),
    _program(
        "hashes_and_encodings",
        """
result = t_env.from_elements([('a',)], ['s']).select(
    col('s').md5, col('s').to_base64, lit('YQ==').from_base64, col('s').ascii, lit(97).chr, lit(255).hex)
""",
        [("0cc175b9c0f1b6a831c399e269772661", "YQ==", "a", 97, "a", "FF")],
        "system functions",
    ),
)
