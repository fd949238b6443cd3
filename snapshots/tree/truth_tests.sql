Project: (projections: [i, as(isTrue(b), t), as(isNotTrue(b), nt), as(isFalse(b), f), as(isNotFalse(b), nf), as(isUnknown(b), u), as(isNotUnknown(b), nu)])
    Values: (values: [(1, true), (2, false), (3, null)], fields: [i, b])
