Project: (projections: [as(upper(sku), u), as(plus(times(EXPR$0, 10), EXPR$1), e)])
    Aggregate: (group: [sku], agg: [sum(quantity), count(quantity)])
        CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])
