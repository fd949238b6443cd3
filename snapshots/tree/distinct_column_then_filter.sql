Filter: (condition: [isNotNull(status)])
    Distinct: ()
        Project: (projections: [status])
            CatalogTable: (identifier: [spark_catalog.programs.orders], fields: [order_id, customer_id, ordered_at, amount, discount, status])
