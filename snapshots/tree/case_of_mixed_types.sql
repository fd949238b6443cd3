Project: (projections: [as(ifThenElse(equals(order_id, 100), order_id, amount), m), as(ifThenElse(equals(order_id, 100), 1, discount), d)])
    Filter: (condition: [lessThan(order_id, 102)])
        CatalogTable: (identifier: [spark_catalog.programs.orders], fields: [order_id, customer_id, ordered_at, amount, discount, status])
