Filter: (condition: [lessThan(id, 3)])
    Project: (projections: [id, name])
        CatalogTable: (identifier: [spark_catalog.programs.customers], fields: [id, name, gender, has_newsletter, date_of_birth, street, zip_code, city])
