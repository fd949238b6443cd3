Project: (projections: [as(position('cd', s), p), as(position('z', s), q), as(overlay(s, 'ZZ', 2), o), as(overlay(s, 'ZZ', 2, 4), o4), as(substring(s, 3), a), as(substring(s, 2, 3), b), as(substr(s, -2), c)])
    Values: (values: [('abcdef')], fields: [s])
