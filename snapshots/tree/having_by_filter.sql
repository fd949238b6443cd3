Filter: (condition: [greaterThan(s, 100)])
    Project: (projections: [status, as(EXPR$0, s)])
        Aggregate: (group: [status], agg: [sum(amount)])
            CatalogTable: (identifier: [spark_catalog.programs.orders], fields: [order_id, customer_id, ordered_at, amount, discount, status])
