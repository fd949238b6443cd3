Project: (projections: [as('it''s \ 
 é 😀 ${x} `y`', s), as('', e), as('	', c)])
    Filter: (condition: [equals(sku, 'cap')])
        CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])
