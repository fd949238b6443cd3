Project: (projections: [c`d, a b])
    Filter: (condition: [equals(a b, 2)])
        Project: (projections: [as(x, a b), as(y, c`d)])
            CatalogTable: (identifier: [spark_catalog.programs.left_bag], fields: [x, y])
