Project: (projections: [*, as(EXPR$0, it's)])
    Aggregate: (group: [c`d, *], agg: [sum(${z})])
        Values: (values: [(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)], fields: [a b, select, c`d, x.y, ${z}, 日本, new
line, it's, "q", *, -- no, current_date, 😀])
