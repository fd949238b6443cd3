Project: (projections: [-- no])
    Sort: (order: [desc(current_date)])
        Filter: (condition: [equals(x.y, 3)])
            Values: (values: [(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)], fields: [a b, select, c`d, x.y, ${z}, 日本, new
line, it's, "q", *, -- no, current_date, 😀])
