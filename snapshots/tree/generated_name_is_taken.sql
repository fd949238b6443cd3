Project: (projections: [as(plus(x, 1), _c0_0), x, as(x, _C2)])
    Filter: (condition: [equals(x, 2)])
        CatalogTable: (identifier: [spark_catalog.programs.left_bag], fields: [x, y])
