Project: (projections: [word, y])
    Join: (joinType: [INNER], condition: [equals(k, x)])
        Values: (values: [(1, 'one'), (2, 'two')], fields: [k, word])
        CatalogTable: (identifier: [spark_catalog.programs.left_bag], fields: [x, y])
