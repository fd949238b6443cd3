Filter: (condition: [equals(x, 2)])
    Project: (projections: [y, x])
        CatalogTable: (identifier: [spark_catalog.programs.left_bag], fields: [x, y])
