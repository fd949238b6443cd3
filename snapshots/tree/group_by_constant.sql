Project: (projections: [as(EXPR$1, q)])
    Aggregate: (group: [EXPR$0], agg: [sum(quantity)])
        Project: (projections: [line_order, sku, quantity, as(1, EXPR$0)])
            CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])
