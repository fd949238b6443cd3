Project: (projections: [id, order_id])
    Join: (joinType: [RIGHT_OUTER], condition: [equals(id, customer_id)])
        CatalogTable: (identifier: [spark_catalog.programs.customers], fields: [id, name, gender, has_newsletter, date_of_birth, street, zip_code, city])
        CatalogTable: (identifier: [spark_catalog.programs.orders], fields: [order_id, customer_id, ordered_at, amount, discount, status])
