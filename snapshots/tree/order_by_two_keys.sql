Project: (projections: [order_id])
    Sort: (order: [asc(status), desc(order_id)])
        CatalogTable: (identifier: [spark_catalog.programs.orders], fields: [order_id, customer_id, ordered_at, amount, discount, status])
