Distinct: ()
    CatalogTable: (identifier: [spark_catalog.programs.left_bag], fields: [x, y])
