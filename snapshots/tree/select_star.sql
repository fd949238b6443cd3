Filter: (condition: [equals(z, 3)])
    Project: (projections: [x, y, as(plus(x, 1), z)])
        CatalogTable: (identifier: [spark_catalog.programs.left_bag], fields: [x, y])
