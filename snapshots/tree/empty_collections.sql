Project: (projections: [as(cast(array(), ARRAY<INT>), a), as(cast(map(), MAP<STRING, INT>), m)])
    Filter: (condition: [equals(sku, 'cap')])
        CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])
