Project: (projections: [as(JSON_OBJECT(NULL, 'x', x, 'y', y), kept), as(JSON_OBJECT(ABSENT, 'x', x, 'y', y), left_out), as(JSON_OBJECT(NULL), empty)])
    Filter: (condition: [greaterThanOrEqual(x, 2)])
        CatalogTable: (identifier: [spark_catalog.programs.left_bag], fields: [x, y])
