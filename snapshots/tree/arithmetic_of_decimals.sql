Project: (projections: [as(plus(amount, 1.005), p), as(times(amount, 2), t), as(divide(amount, 3), d), as(times(amount, minus(1, amount)), x), as(mod(amount, 2), r), as(plus(amount, order_id), b), as(plus(amount, 0.5), f)])
    Filter: (condition: [equals(order_id, 101)])
        CatalogTable: (identifier: [spark_catalog.programs.orders], fields: [order_id, customer_id, ordered_at, amount, discount, status])
