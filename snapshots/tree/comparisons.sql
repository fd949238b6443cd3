Distinct: ()
    Project: (projections: [as(equals(x, 1), eq), as(notEquals(x, 1), ne), as(lessThan(x, 2), lt), as(lessThanOrEqual(x, 2), le), as(greaterThan(x, 2), gt), as(greaterThanOrEqual(x, 2), ge)])
        CatalogTable: (identifier: [spark_catalog.programs.left_bag], fields: [x, y])
