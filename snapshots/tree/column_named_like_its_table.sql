Project: (projections: [as(get(lines, 'sku'), q), sku])
    Filter: (condition: [equals(sku, 'pad')])
        Project: (projections: [as(row('sku', quantity), lines), sku])
            CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])
