Project: (projections: [order_id])
    Filter: (condition: [greaterThan(order_id, 103)])
        Sort: (order: [desc(order_id)], fetch: [3])
            CatalogTable: (identifier: [spark_catalog.programs.orders], fields: [order_id, customer_id, ordered_at, amount, discount, status])
