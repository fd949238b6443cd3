from decimal import Decimal

result = env.from_elements(
    [(1, "a'b", 1.5, Decimal("1.20"), True, b"\x01"), (None, None, None, None, None, None)],
    ["i", "s", "d", "m", "b", "y"],
)
