import datetime as dt

from tableapi import DataTypes
from tableapi.expressions import lit

result = env.from_path("left_bag").process(
    "hinted",
    small=lit(5, DataTypes.TINYINT()),
    wait=lit(dt.timedelta(minutes=5)),
    anything=lit("x"),
)
