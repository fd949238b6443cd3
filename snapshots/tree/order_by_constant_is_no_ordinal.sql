Filter: (condition: [equals(x, 2)])
    CatalogTable: (identifier: [spark_catalog.programs.left_bag], fields: [x, y])
