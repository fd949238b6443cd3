Project: (projections: [as(trim(BOTH, s), b), as(trim(LEADING, s), l), as(trim(TRAILING, s), t), as(trim(BOTH, s, 'x'), bx), as(trim(LEADING, s, 'x'), lx), as(trim(TRAILING, s, 'x'), tx)])
    Values: (values: [(' xxaxx '), ('xxaxx')], fields: [s])
