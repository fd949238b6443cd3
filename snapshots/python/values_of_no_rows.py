from tableapi import DataTypes

result = env.from_elements(
    [],
    DataTypes.ROW(
        [
            DataTypes.FIELD("a", DataTypes.INT()),
            DataTypes.FIELD("b", DataTypes.ARRAY(DataTypes.STRING())),
        ],
    ),
)
