Project: (projections: [as(plus(i, 1), i), as(upper(s), s), as(times(m, 2), m)])
    Values: (values: [(1, 'a', 1.00)], fields: [i, s, m])
