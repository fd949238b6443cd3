Project: (projections: [sku, as(EXPR$0, n)])
    Aggregate: (group: [substring(sku, 1, 1)], agg: [count(sku)])
        CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])
