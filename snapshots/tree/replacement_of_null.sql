Distinct: ()
    Project: (projections: [as(IFNULL(y, 'none'), i), as(COALESCE(null, x, -1), c)])
        CatalogTable: (identifier: [spark_catalog.programs.left_bag], fields: [x, y])
