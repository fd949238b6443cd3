Project: (projections: [as(and(p, q), a), as(or(p, q), o), as(not(p), n)])
    Values: (values: [(true, null), (false, null), (null, null), (true, false)], fields: [p, q])
