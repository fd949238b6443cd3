Project: (projections: [as(cast(quantity, STRING), s), as(cast('12', INT), i), as(cast('2024-02-29', DATE), d), as(cast('2024-02-29 01:02:03', TIMESTAMP), t), as(cast(divide(quantity, 3), DECIMAL(6, 1)), m), as(cast(greaterThan(quantity, 1), INT), b), as(cast(quantity, TINYINT), y)])
    Filter: (condition: [equals(sku, 'pad')])
        CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])
