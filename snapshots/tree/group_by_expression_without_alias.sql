Aggregate: (group: [upper(sku)], agg: [max(quantity)])
    CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])
