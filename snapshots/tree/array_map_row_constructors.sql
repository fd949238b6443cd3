Project: (projections: [as(array(1, quantity, null), a), as(map('q', quantity, 'z', 0), m), as(row('f0', sku, 'f1', 1.5, 'named', quantity), r), as(array(row('f0', 1, 'f1', 'a'), row('f0', 2, 'f1', 'b')), n)])
    Filter: (condition: [equals(sku, 'pad')])
        CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])
