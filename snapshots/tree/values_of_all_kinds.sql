Values: (values: [(1, 'a''b', 1.5, 1.20, true, X'01'), (null, null, null, null, null, null)], fields: [i, s, d, m, b, y])
