Project: (projections: [as(concat(concat(concat('#', order_id), '/'), customer_id), k)])
    Filter: (condition: [equals(order_id, 100)])
        CatalogTable: (identifier: [spark_catalog.programs.orders], fields: [order_id, customer_id, ordered_at, amount, discount, status])
