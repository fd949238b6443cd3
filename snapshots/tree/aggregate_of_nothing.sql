Project: (projections: [as(EXPR$0, n), as(EXPR$1, s), as(EXPR$2, z)])
    Aggregate: (group: [], agg: [count(a), sum(a), sum0(a)])
        CatalogTable: (identifier: [spark_catalog.programs.nothing], fields: [a, b])
