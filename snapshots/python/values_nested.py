from tableapi import DataTypes

result = env.from_elements(
    [([1, None], {"k": 1.5}, (1, "x")), ([], {}, (None, None)), (None, None, None)],
    DataTypes.ROW(
        [
            DataTypes.FIELD("a", DataTypes.ARRAY(DataTypes.INT())),
            DataTypes.FIELD("m", DataTypes.MAP(DataTypes.STRING(), DataTypes.DOUBLE())),
            DataTypes.FIELD(
                "r",
                DataTypes.ROW(
                    [
                        DataTypes.FIELD("n", DataTypes.INT()),
                        DataTypes.FIELD("t", DataTypes.STRING()),
                    ],
                ),
            ),
        ],
    ),
)
