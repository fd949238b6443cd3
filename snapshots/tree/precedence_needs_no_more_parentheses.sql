Project: (projections: [as(minus(times(plus(quantity, 1), 2), minus(3, quantity)), a), as(minus(minus(quantity, 1), minus(quantity, 2)), b), as(minusPrefix(plus(quantity, 1)), c), as(equals(greaterThan(quantity, 2), equals(sku, 'pen')), d), as(or(not(and(greaterThan(quantity, 2), equals(sku, 'pen'))), isNull(quantity)), e)])
    Filter: (condition: [equals(sku, 'pen')])
        CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])
