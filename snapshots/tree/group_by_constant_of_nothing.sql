Project: (projections: [as(EXPR$1, n)])
    Aggregate: (group: [EXPR$0], agg: [count(a)])
        Project: (projections: [a, b, as(1, EXPR$0)])
            CatalogTable: (identifier: [spark_catalog.programs.nothing], fields: [a, b])
