Project: (projections: [line_order])
    Filter: (condition: [not(in(quantity, 2, 3))])
        Filter: (condition: [in(sku, 'pen', 'pad')])
            CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])
