Project: (projections: [order_id])
    Filter: (condition: [lessThan(order_id, 104)])
        Filter: (condition: [greaterThan(order_id, 100)])
            CatalogTable: (identifier: [spark_catalog.programs.orders], fields: [order_id, customer_id, ordered_at, amount, discount, status])
