Project: (projections: [as(EXPR$0, a)])
    Aggregate: (group: [], agg: [ARRAY_AGG(quantity)])
        Filter: (condition: [equals(line_order, 102)])
            CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])
