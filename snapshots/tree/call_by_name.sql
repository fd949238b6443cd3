Project: (projections: [as(upper(sku), a), as(charLength('日本'), b)])
    Filter: (condition: [equals(sku, 'cap')])
        CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])
