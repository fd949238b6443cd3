Project: (projections: [line_order, sku, quantity, as(concat(sku, '-', quantity), k)])
    Filter: (condition: [equals(line_order, 100)])
        CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])
