Project: (projections: [as(get(r.r, 'a.b'), i), as(get(r.r, 'c`d'), j), as(get(r.r, 'e f'), r.r$e f)])
    Project: (projections: [as(row('a.b', 1, 'c`d', 2, 'e f', 'x'), r.r)])
        Filter: (condition: [equals(sku, 'cap')])
            CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])
