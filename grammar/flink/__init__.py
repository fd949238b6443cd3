"""Reads Flink's SQL where it differs: functions, window table functions and group windows."""
