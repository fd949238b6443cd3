Project: (projections: [name])
    Filter: (condition: [in(id, (Project: (projections: [customer_id])
    CatalogTable: (identifier: [spark_catalog.programs.orders], fields: [order_id, customer_id, ordered_at, amount, discount, status])))])
        CatalogTable: (identifier: [spark_catalog.programs.customers], fields: [id, name, gender, has_newsletter, date_of_birth, street, zip_code, city])
