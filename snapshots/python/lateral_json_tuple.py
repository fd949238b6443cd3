from tableapi.expressions import col, json_tuple

result = env.from_elements(
    [('{"a": 1, "b": {"c": 2}}',), ("{}",), (None,)],
    ["j"],
).flat_map(json_tuple(col("j"), "a", "b"))
