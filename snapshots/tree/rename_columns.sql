Filter: (condition: [equals(select, 2)])
    Project: (projections: [as(x, select), as(y, order by)])
        CatalogTable: (identifier: [spark_catalog.programs.left_bag], fields: [x, y])
