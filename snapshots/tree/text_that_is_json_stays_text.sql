Project: (projections: [as(JSON_OBJECT(NULL, 't', concat('{"x":', x, '}')), j)])
    Filter: (condition: [equals(x, 2)])
        CatalogTable: (identifier: [spark_catalog.programs.left_bag], fields: [x, y])
