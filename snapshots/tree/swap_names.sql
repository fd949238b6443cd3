Project: (projections: [as(a, b), as(b, a)])
    Values: (values: [(1, 2)], fields: [a, b])
