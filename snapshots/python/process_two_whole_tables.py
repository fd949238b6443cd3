result = env.from_call(
    "inferred_optional",
    left=env.from_path("left_bag"),
    right=env.from_path("right_bag"),
)
