Project: (projections: [as(isDistinctFrom(x, 3), d), as(isNotDistinctFrom(y, null), n)])
    Filter: (condition: [or(isNull(x), equals(x, 3))])
        CatalogTable: (identifier: [spark_catalog.programs.left_bag], fields: [x, y])
