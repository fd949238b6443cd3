Distinct: ()
    Project: (projections: [x, as(ifThenElse(greaterThan(x, 1), 'many', 'one'), c), as(ifThenElse(equals(x, 3), 'three', ifThenElse(equals(x, 2), 'two', y)), n)])
        CatalogTable: (identifier: [spark_catalog.programs.left_bag], fields: [x, y])
