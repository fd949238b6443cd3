Project: (projections: [order_id])
    Filter: (condition: [lessThan(discount, 0.3)])
        CatalogTable: (identifier: [spark_catalog.programs.orders], fields: [order_id, customer_id, ordered_at, amount, discount, status])
