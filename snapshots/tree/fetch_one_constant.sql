Project: (projections: [as(7, seven)])
    Sort: (order: [], fetch: [2])
        CatalogTable: (identifier: [spark_catalog.programs.left_bag], fields: [x, y])
