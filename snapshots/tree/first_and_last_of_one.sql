Project: (projections: [as(EXPR$0, a), as(EXPR$1, b)])
    Aggregate: (group: [], agg: [first_value(quantity), last_value(quantity)])
        Filter: (condition: [equals(sku, 'pad')])
            CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])
