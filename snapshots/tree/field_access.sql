Project: (projections: [as(get(size, 'width'), w), as(get(size, 'width'), size$width), as(get(get(size, 'box'), 'depth'), size$box$depth), as(plus(get(size, 'width'), 1), p)])
    CatalogTable: (identifier: [spark_catalog.programs.products], fields: [product, price, tags, attributes, size])
