Project: (projections: [as(JSON_OBJECT(NULL, 'a"`b', JSON_OBJECT(NULL, 'y', y), 'absent', JSON_OBJECT(ABSENT, 'x', x, 'y', y)), j), as(JSON_OBJECT(ABSENT, 'o', JSON_OBJECT(NULL, 'y', y), 'y', y), k)])
    Filter: (condition: [equals(x, 3)])
        CatalogTable: (identifier: [spark_catalog.programs.left_bag], fields: [x, y])
