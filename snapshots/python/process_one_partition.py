from tableapi.expressions import descriptor

result = env.from_path("nothing").process("whole", d=descriptor("a", "b"))
