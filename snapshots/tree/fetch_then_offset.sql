Project: (projections: [order_id])
    Sort: (order: [], offset: [3])
        Sort: (order: [asc(order_id)], fetch: [4])
            CatalogTable: (identifier: [spark_catalog.programs.orders], fields: [order_id, customer_id, ordered_at, amount, discount, status])
