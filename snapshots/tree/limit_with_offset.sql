Project: (projections: [order_id])
    Sort: (order: [desc(order_id)], offset: [3], fetch: [2])
        CatalogTable: (identifier: [spark_catalog.programs.orders], fields: [order_id, customer_id, ordered_at, amount, discount, status])
