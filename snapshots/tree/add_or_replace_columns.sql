Filter: (condition: [equals(x, 2)])
    Project: (projections: [x, as(upper(y), y), as(times(x, 10), ten)])
        CatalogTable: (identifier: [spark_catalog.programs.left_bag], fields: [x, y])
