Project: (projections: [as(EXPR$0, lo), as(EXPR$1, hi), as(EXPR$2, mean), as(EXPR$3, n)])
    Aggregate: (group: [], agg: [min(amount), max(amount), avg(amount), count(amount)])
        CatalogTable: (identifier: [spark_catalog.programs.orders], fields: [order_id, customer_id, ordered_at, amount, discount, status])
