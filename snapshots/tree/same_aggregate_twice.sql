Project: (projections: [EXPR$0, EXPR$0, as(EXPR$0, third)])
    Aggregate: (group: [], agg: [sum(quantity)])
        CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])
