Project: (projections: [status, as(EXPR$0, total), as(EXPR$1, orders)])
    Aggregate: (group: [status], agg: [sum(amount), count(1)])
        CatalogTable: (identifier: [spark_catalog.programs.orders], fields: [order_id, customer_id, ordered_at, amount, discount, status])
