Project: (projections: [as(EXPR$0, c), as(EXPR$1, s), as(EXPR$2, a)])
    Aggregate: (group: [], agg: [distinct(count(x)), distinct(sum(x)), distinct(avg(x))])
        CatalogTable: (identifier: [spark_catalog.programs.left_bag], fields: [x, y])
