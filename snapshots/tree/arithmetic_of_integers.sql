Project: (projections: [as(plus(quantity, 1), p), as(minus(quantity, 11), m), as(times(quantity, 2), t), as(divide(quantity, 4), d), as(mod(quantity, 4), r), as(minusPrefix(quantity), n), as(mod(-7, 3), s)])
    Filter: (condition: [equals(sku, 'pad')])
        CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])
