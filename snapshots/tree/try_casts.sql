Project: (projections: [as(TRY_CAST('x', INT), i), as(TRY_CAST('1e3', DOUBLE), d), as(TRY_CAST('30.02.2024', DATE), t), as(TRY_CAST(300, TINYINT), y)])
    Filter: (condition: [equals(sku, 'pad')])
        CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])
