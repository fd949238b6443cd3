Project: (projections: [as(get(r, 'n'), r$n), as(get(r, 't x'), t)])
    Project: (projections: [as(cast(row('f0', quantity, 'f1', sku), ROW<`n` BIGINT, `t x` STRING>), r)])
        Filter: (condition: [equals(sku, 'pad')])
            CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])
