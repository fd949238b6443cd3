Project: (projections: [sku, quantity])
    Filter: (condition: [and(greaterThan(quantity, 0), lessThan(quantity, 100), notEquals(sku, 'ink'), or(equals(sku, 'pen'), equals(sku, 'pad'), equals(sku, 'cap')))])
        CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])
