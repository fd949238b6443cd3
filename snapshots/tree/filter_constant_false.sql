Filter: (condition: [greaterThan(1, 2)])
    CatalogTable: (identifier: [spark_catalog.programs.left_bag], fields: [x, y])
