Sort: (order: [], fetch: [0])
    CatalogTable: (identifier: [spark_catalog.programs.left_bag], fields: [x, y])
