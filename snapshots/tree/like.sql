Project: (projections: [as(like(s, 'a%'), p), as(like(s, 'a!_b!%c', '!'), e), as(like(s, 'a\_b%'), d)])
    Values: (values: [('a_b%c'), ('axbyc'), ('A_b'), (null)], fields: [s])
