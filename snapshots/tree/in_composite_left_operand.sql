Project: (projections: [quantity])
    Filter: (condition: [and(in(plus(quantity, 1), 3, 4), in(equals(sku, 'pen'), true))])
        CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])
