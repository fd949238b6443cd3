Project: (projections: [plus(x, 1), as(cast(x, STRING), x-STRING), times(x, 2)])
    Filter: (condition: [equals(x, 2)])
        CatalogTable: (identifier: [spark_catalog.programs.left_bag], fields: [x, y])
