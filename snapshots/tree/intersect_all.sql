SetOperation: (type: [INTERSECT ALL])
    CatalogTable: (identifier: [spark_catalog.programs.left_bag], fields: [x, y])
    CatalogTable: (identifier: [spark_catalog.programs.right_bag], fields: [x, y])
