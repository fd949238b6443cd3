Aggregate: (group: [a], agg: [count(b)])
    CatalogTable: (identifier: [spark_catalog.programs.nothing], fields: [a, b])
