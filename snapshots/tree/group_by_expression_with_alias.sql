Project: (projections: [odd, as(EXPR$0, q)])
    Aggregate: (group: [mod(line_order, 2)], agg: [sum(quantity)])
        CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])
