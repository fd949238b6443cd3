"""JSON paths with wildcards and indexes from the end, and arrays of JSON: the values of real Flink 2.3.

Only numbers differ, which are formatted as in a VARIANT here, and the order of an object's values, which follows its
keys.
"""

from __future__ import annotations

from typing import Any

_LIST = '{"a":[1,"x",null,true,{"c":1,"b":2}],"l":[{"k":1,"p":10},{"k":null},{"j":3}],"n":null,"s":"t"}'
_NESTED = '{"ll":[[1,2],[3],4,null,{"z":7}],"two":[{"k":[1]},{"k":[2,3]},{"j":0}],"o":{"y":[3,4],"z":1},"e":[]}'
_ALL = ["1", "x", None, "true", '{"b":2,"c":1}']
_NOTHING = "EMPTY ARRAY ON EMPTY EMPTY OBJECT ON ERROR"


def _query(path: str, clauses: str = "", json: str = _LIST) -> str:
    return f"JSON_QUERY('{json}', '{path}' {clauses})"


CASES: list[tuple[str, Any]] = [
    (_query("$.a[*]"), '[1,"x",null,true,{"b":2,"c":1}]'),
    (_query("$.a.*"), '[1,"x",null,true,{"b":2,"c":1}]'),
    (_query("$[''a''][*]"), '[1,"x",null,true,{"b":2,"c":1}]'),
    (_query("$.a[*]", "WITH CONDITIONAL ARRAY WRAPPER"), '[1,"x",null,true,{"b":2,"c":1}]'),
    (_query("$.a[*]", "WITH UNCONDITIONAL ARRAY WRAPPER"), '[[1,"x",null,true,{"b":2,"c":1}]]'),
    (_query("$.a[*].c"), "[1]"),
    # After a wildcard, a missing value is omitted; a null is kept.
    (_query("$.l[*].k"), "[1,null]"),
    (_query("$.l[*].p"), "[10]"),
    (_query("$.l[*].q"), "[]"),
    (_query("$.l[*].q.r"), "[]"),
    (_query("$.l[*].q[*]"), "[]"),
    (_query("$.l[*][*]"), "[1,10,null,3]"),
    (_query("$.l[*].p", "WITH CONDITIONAL ARRAY WRAPPER"), "[10]"),
    (_query("$.ll[*]", json=_NESTED), '[[1,2],[3],4,null,{"z":7}]'),
    (_query("$.ll[*][*]", json=_NESTED), "[1,2,3,7]"),
    (_query("$.ll[*][0]", json=_NESTED), "[1,3]"),
    (_query("$.ll[*][-1]", json=_NESTED), "[2,3]"),
    (_query("$.ll[*].z", json=_NESTED), "[7]"),
    (_query("$.two[*].k", json=_NESTED), "[[1],[2,3]]"),
    (_query("$.two[*].k[*]", json=_NESTED), "[1,2,3]"),
    (_query("$.o.*", json=_NESTED), "[[3,4],1]"),
    (_query("$.o.y[*]", json=_NESTED), "[3,4]"),
    (_query("$.e[*]", json=_NESTED), "[]"),
    (_query("$.e[*]", "WITH WRAPPER", json=_NESTED), "[[]]"),
    # A value that is neither array nor object has no elements; a missing path is an error unless the path is lax.
    (_query("$.n[*]"), "[]"),
    (_query("$.s[*]"), "[]"),
    (_query("$.x[*]"), None),
    (_query("$.x[*]", _NOTHING), "{}"),
    (_query("lax $.x[*]", _NOTHING), "[]"),
    (_query("lax $.x[*]"), "[]"),
    (_query("lax $.x[*]", "WITH WRAPPER"), "[[]]"),
    (_query("lax $.x[*].k", "ERROR ON EMPTY ERROR ON ERROR"), "[]"),
    (_query("$.s.t[*]", _NOTHING), "{}"),
    (_query("$.n.m[*]", _NOTHING), "{}"),
    (_query("lax $.n.m[*]", _NOTHING), "[]"),
    (_query("$.a[9][*]", _NOTHING), "{}"),
    (_query("lax $.a[9][*]", _NOTHING), "[]"),
    (_query("$[*]", _NOTHING, json="xx"), "{}"),
    (_query("lax $[*]", "EMPTY OBJECT ON EMPTY ERROR ON ERROR", json="xx"), "{}"),
    (_query("lax $.a[*]", "EMPTY OBJECT ON EMPTY ERROR ON ERROR", json="xx"), "{}"),
    (_query("$[*]", _NOTHING, json="null"), "{}"),
    (_query("$.a[*]", _NOTHING, json="null"), "{}"),
    (_query("$[*]", _NOTHING, json="[]"), "[]"),
    (_query("$[*]", _NOTHING, json="1"), "[]"),
    (_query("$.a[*]", _NOTHING, json="[]"), "{}"),
    (_query("lax $.a[*]", _NOTHING, json="[]"), "[]"),
    ("JSON_QUERY(CAST(NULL AS STRING), '$[*]' EMPTY ARRAY ON ERROR)", None),
    ("JSON_QUERY(CAST(NULL AS STRING), 'lax $.a[*]')", None),
    # Indexes from the end.
    (_query("$.a[-1]"), '{"b":2,"c":1}'),
    (_query("$.a[-1]", "WITH CONDITIONAL ARRAY WRAPPER"), '[{"b":2,"c":1}]'),
    (_query("$.a[-2]", _NOTHING), "{}"),
    (_query("$.a[-9]", _NOTHING), "{}"),
    (_query("lax $.a[-9]", _NOTHING), "[]"),
    (_query("$.l[-1]"), '{"j":3}'),
    (_query("$[-1][-2]", json="[[1],[[2],3]]"), "[2]"),
    (_query("$.s[-1]", _NOTHING), "{}"),
    (f"JSON_VALUE('{_LIST}', '$.a[-2]')", "true"),
    (f"JSON_VALUE('{_LIST}', '$.a[-2]' RETURNING BOOLEAN)", True),
    (f"JSON_VALUE('{_LIST}', '$.a[-1].c' RETURNING INT)", 1),
    (f"JSON_VALUE('{_LIST}', '$.l[-1].j')", "3"),
    (f"JSON_VALUE('{_LIST}', '$.a[-3]' DEFAULT 'none' ON ERROR)", "none"),
    (f"JSON_EXISTS('{_LIST}', '$.a[-2]')", True),
    (f"JSON_EXISTS('{_LIST}', '$.a[-3]')", False),
    (f"JSON_EXISTS('{_LIST}', '$.a[-9]')", False),
    (f"JSON_EXISTS('{_NESTED}', '$.o[-1]')", False),
    # Whether an array is found, even if it is empty.
    (f"JSON_EXISTS('{_LIST}', '$.a[*]')", True),
    (f"JSON_EXISTS('{_LIST}', '$.l[*].q.r')", True),
    (f"JSON_EXISTS('{_LIST}', '$.n[*]')", True),
    (f"JSON_EXISTS('{_LIST}', '$.x[*]')", False),
    (f"JSON_EXISTS('{_LIST}', '$.x[*]' UNKNOWN ON ERROR)", None),
    (f"JSON_EXISTS('{_LIST}', 'lax $.x[*]' UNKNOWN ON ERROR)", True),
    ("JSON_EXISTS('xx', '$[*]' UNKNOWN ON ERROR)", None),
    ("JSON_EXISTS('xx', 'lax $[*]' UNKNOWN ON ERROR)", False),
    ("JSON_EXISTS('null', '$[*]' UNKNOWN ON ERROR)", None),
    ("JSON_EXISTS('1', '$[*]' UNKNOWN ON ERROR)", True),
    ("JSON_EXISTS(CAST(NULL AS STRING), '$[*]' TRUE ON ERROR)", None),
    # Arrays of strings.
    (_query("$.a", "RETURNING ARRAY<STRING>"), _ALL),
    (_query("$.a", "RETURNING ARRAY<VARCHAR(3)>"), _ALL),
    (_query("$.a[*]", "RETURNING ARRAY<STRING>"), _ALL),
    (_query("$.a[*]", "RETURNING ARRAY<STRING> WITH CONDITIONAL ARRAY WRAPPER"), _ALL),
    (
        _query("$.a[*]", "RETURNING ARRAY<STRING> WITH UNCONDITIONAL ARRAY WRAPPER"),
        ['[1,"x",null,true,{"b":2,"c":1}]'],
    ),
    (_query("$.a", "RETURNING ARRAY<STRING> WITH WRAPPER"), ['[1,"x",null,true,{"b":2,"c":1}]']),
    (_query("$.a", "RETURNING ARRAY<STRING> WITH CONDITIONAL ARRAY WRAPPER"), _ALL),
    (_query("$.l[*].k", "RETURNING ARRAY<STRING>"), ["1", None]),
    (_query("$.l[*].k", "RETURNING ARRAY<STRING> WITH WRAPPER"), ["[1,null]"]),
    (_query("$.s", "RETURNING ARRAY<STRING>"), None),
    (_query("$.s", "RETURNING ARRAY<STRING> WITH CONDITIONAL ARRAY WRAPPER"), ["t"]),
    (_query("$.s", "RETURNING ARRAY<STRING> WITH UNCONDITIONAL ARRAY WRAPPER"), ["t"]),
    (_query("$.a[4]", "RETURNING ARRAY<STRING>"), None),
    (_query("$.a[4]", "RETURNING ARRAY<STRING> WITH WRAPPER"), ['{"b":2,"c":1}']),
    (_query("$.n", "RETURNING ARRAY<STRING> WITH WRAPPER"), None),
    (_query("$.x[*]", "RETURNING ARRAY<STRING>"), None),
    (_query("lax $.x[*]", "RETURNING ARRAY<STRING>"), []),
    (_query("lax $.x[*]", "RETURNING ARRAY<STRING> WITH WRAPPER"), ["[]"]),
    (_query("$.s", "RETURNING ARRAY<STRING> EMPTY ARRAY ON ERROR"), []),
    (_query("lax $.s", "RETURNING ARRAY<STRING> EMPTY ARRAY ON EMPTY"), []),
    (_query("$.s", "RETURNING ARRAY<STRING> EMPTY ARRAY ON EMPTY"), None),
    (_query("$", "RETURNING ARRAY<STRING>", json="[]"), []),
    (_query("$", "RETURNING ARRAY<STRING>", json="[[1,2]]"), ["[1,2]"]),
    (_query("$", "RETURNING ARRAY<STRING>", json="null"), None),
    (_query("$", "RETURNING ARRAY<STRING> EMPTY ARRAY ON ERROR", json="null"), []),
    (_query("$", "RETURNING ARRAY<STRING> EMPTY ARRAY ON ERROR", json="xx"), []),
    ("JSON_QUERY(CAST(NULL AS STRING), '$' RETURNING ARRAY<STRING> EMPTY ARRAY ON ERROR)", None),
]
FAILURES: list[tuple[str, str]] = [
    (_query("$.x[*]", "ERROR ON ERROR"), "USER_RAISED_EXCEPTION"),
    (_query("$.s", "RETURNING ARRAY<STRING> ERROR ON ERROR"), "USER_RAISED_EXCEPTION"),
    (_query("lax $.y", "RETURNING ARRAY<STRING> ERROR ON EMPTY"), "USER_RAISED_EXCEPTION"),
]
