Project: (projections: [1, as('x', c)])
    CatalogTable: (identifier: [spark_catalog.programs.left_bag], fields: [x, y])
