Values: (values: [], fields: [a, b])
