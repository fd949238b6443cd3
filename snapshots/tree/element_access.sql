Project: (projections: [product, as(at(tags, 1), first), as(at(tags, 9), ninth), as(at(attributes, 'stock'), stock), as(cardinality(tags), n)])
    CatalogTable: (identifier: [spark_catalog.programs.products], fields: [product, price, tags, attributes, size])
