Project: (projections: [as(upper(s), u), as(lower(s), l), as(charLength(s), n), as(concat(s, '!'), plus), as(concat(s, p), c)])
    Values: (values: [('Straße', '  x '), (null, 'yy')], fields: [s, p])
