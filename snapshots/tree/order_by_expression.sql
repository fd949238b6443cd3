Project: (projections: [sku, quantity])
    Sort: (order: [asc(mod(quantity, 3)), asc(quantity), asc(sku)])
        Filter: (condition: [isNotNull(quantity)])
            CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])
