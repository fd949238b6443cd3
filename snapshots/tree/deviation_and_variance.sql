Project: (projections: [as(EXPR$0, vp), as(EXPR$1, vs), as(times(EXPR$2, EXPR$2), p), as(greaterThan(times(EXPR$3, EXPR$3), 18.9), q)])
    Aggregate: (group: [], agg: [varPop(quantity), varSamp(quantity), stddevPop(quantity), stddevSamp(quantity)])
        Filter: (condition: [greaterThan(quantity, 1)])
            CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])
