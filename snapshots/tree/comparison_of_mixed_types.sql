Project: (projections: [as(equals(amount, 20), decimal_int), as(equals(order_id, '100'), int_text), as(lessThan(discount, 0.5), double_decimal), as(greaterThan(ordered_at, 2024-01-31), timestamp_date)])
    Filter: (condition: [equals(order_id, 100)])
        CatalogTable: (identifier: [spark_catalog.programs.orders], fields: [order_id, customer_id, ordered_at, amount, discount, status])
