"""The ``__init__`` of the shapes that a first text needs, which Python compiles once for all processes.

``ir.light_classes`` puts the names of a class in the place of the numbers, and the slots, defaults and validators
into the globals. Written by ``python -m tests.ir.init_shapes``.
"""

# ruff: noqa
# fmt: off
# mypy: ignore-errors

def frozen(self):
    pass


def frozen_a(self, a0):
    s0(self, a0)


def frozen_a_a(self, a0, a1):
    s0(self, a0)
    s1(self, a1)


def frozen_a_a_a(self, a0, a1, a2):
    s0(self, a0)
    s1(self, a1)
    s2(self, a2)


def frozen_a_a_a_a(self, a0, a1, a2, a3):
    s0(self, a0)
    s1(self, a1)
    s2(self, a2)
    s3(self, a3)


def frozen_a_a_a_a_a(self, a0, a1, a2, a3, a4):
    s0(self, a0)
    s1(self, a1)
    s2(self, a2)
    s3(self, a3)
    s4(self, a4)


def frozen_a_a_a_a_a_a(self, a0, a1, a2, a3, a4, a5):
    s0(self, a0)
    s1(self, a1)
    s2(self, a2)
    s3(self, a3)
    s4(self, a4)
    s5(self, a5)


def frozen_a_a_a_a_a_a_a(self, a0, a1, a2, a3, a4, a5, a6):
    s0(self, a0)
    s1(self, a1)
    s2(self, a2)
    s3(self, a3)
    s4(self, a4)
    s5(self, a5)
    s6(self, a6)


def frozen_a_a_a_a_a_a_a_a_a_a(self, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9):
    s0(self, a0)
    s1(self, a1)
    s2(self, a2)
    s3(self, a3)
    s4(self, a4)
    s5(self, a5)
    s6(self, a6)
    s7(self, a7)
    s8(self, a8)
    s9(self, a9)


def frozen_a_a_a_a_a_a_a_a_a_a_a_a_a_a_a_a_a_a_a_a_a_a_a_a_a_s_s(self, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24):
    s0(self, a0)
    s1(self, a1)
    s2(self, a2)
    s3(self, a3)
    s4(self, a4)
    s5(self, a5)
    s6(self, a6)
    s7(self, a7)
    s8(self, a8)
    s9(self, a9)
    s10(self, a10)
    s11(self, a11)
    s12(self, a12)
    s13(self, a13)
    s14(self, a14)
    s15(self, a15)
    s16(self, a16)
    s17(self, a17)
    s18(self, a18)
    s19(self, a19)
    s20(self, a20)
    s21(self, a21)
    s22(self, a22)
    s23(self, a23)
    s24(self, a24)
    s25(self, m25(self))
    s26(self, m26(self))


def frozen_a_a_a_a_a_a_a_a_a_am(self, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9):
    s0(self, a0)
    s1(self, a1)
    s2(self, a2)
    s3(self, a3)
    s4(self, a4)
    s5(self, a5)
    s6(self, a6)
    s7(self, a7)
    s8(self, a8)
    if a9 is NOTHING: a9 = m9()
    s9(self, a9)


def frozen_a_a_a_a_a_a_a_a_s(self, a0, a1, a2, a3, a4, a5, a6, a7):
    s0(self, a0)
    s1(self, a1)
    s2(self, a2)
    s3(self, a3)
    s4(self, a4)
    s5(self, a5)
    s6(self, a6)
    s7(self, a7)
    s8(self, m8(self))


def frozen_a_a_a_am_a_a(self, a0, a1, a2, a3, a4, a5):
    s0(self, a0)
    s1(self, a1)
    s2(self, a2)
    if a3 is NOTHING: a3 = m3()
    s3(self, a3)
    s4(self, a4)
    s5(self, a5)


def frozen_a_a_a_k(self, a0, a1, a2, *, a3):
    s0(self, a0)
    s1(self, a1)
    s2(self, a2)
    s3(self, a3)


def frozen_a_a_a_k_a_a_a_a(self, a0, a1, a2, a4, a5, a6, a7, *, a3):
    s0(self, a0)
    s1(self, a1)
    s2(self, a2)
    s3(self, a3)
    s4(self, a4)
    s5(self, a5)
    s6(self, a6)
    s7(self, a7)


def frozen_a_a_a_k_k_k(self, a0, a1, a2, *, a3, a4, a5):
    s0(self, a0)
    s1(self, a1)
    s2(self, a2)
    s3(self, a3)
    s4(self, a4)
    s5(self, a5)


def frozen_a_a_a_s(self, a0, a1, a2):
    s0(self, a0)
    s1(self, a1)
    s2(self, a2)
    s3(self, m3(self))


def frozen_a_a_am_a_a_a_a_as_a(self, a0, a1, a2, a3, a4, a5, a6, a7, a8):
    s0(self, a0)
    s1(self, a1)
    if a2 is NOTHING: a2 = m2()
    s2(self, a2)
    s3(self, a3)
    s4(self, a4)
    s5(self, a5)
    s6(self, a6)
    if a7 is NOTHING: a7 = m7(self)
    s7(self, a7)
    s8(self, a8)


def frozen_a_am_a_a_a_a_a_a(self, a0, a1, a2, a3, a4, a5, a6, a7):
    s0(self, a0)
    if a1 is NOTHING: a1 = m1()
    s1(self, a1)
    s2(self, a2)
    s3(self, a3)
    s4(self, a4)
    s5(self, a5)
    s6(self, a6)
    s7(self, a7)


def frozen_a_am_a_am_am_am_a_a_am_a_a_a_a_a_am_am(self, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15):
    s0(self, a0)
    if a1 is NOTHING: a1 = m1()
    s1(self, a1)
    s2(self, a2)
    if a3 is NOTHING: a3 = m3()
    s3(self, a3)
    if a4 is NOTHING: a4 = m4()
    s4(self, a4)
    if a5 is NOTHING: a5 = m5()
    s5(self, a5)
    s6(self, a6)
    s7(self, a7)
    if a8 is NOTHING: a8 = m8()
    s8(self, a8)
    s9(self, a9)
    s10(self, a10)
    s11(self, a11)
    s12(self, a12)
    s13(self, a13)
    if a14 is NOTHING: a14 = m14()
    s14(self, a14)
    if a15 is NOTHING: a15 = m15()
    s15(self, a15)


def frozen_a_av(self, a0, a1):
    s0(self, a0)
    s1(self, a1)
    v1(self, o1, self.f1)


def frozen_a_s_s_d_d_d(self, a0):
    s0(self, a0)
    s1(self, m1(self))
    s2(self, m2(self))
    s3(self, d3)
    s4(self, d4)
    s5(self, d5)


def frozen_d_d_d_a_a_a_a_a_a_a_a(self, a3, a4, a5, a6, a7, a8, a9, a10):
    s0(self, d0)
    s1(self, d1)
    s2(self, d2)
    s3(self, a3)
    s4(self, a4)
    s5(self, a5)
    s6(self, a6)
    s7(self, a7)
    s8(self, a8)
    s9(self, a9)
    s10(self, a10)


def frozen_d_d_d_a_a_a_a_av_s_s(self, a3, a4, a5, a6, a7):
    s0(self, d0)
    s1(self, d1)
    s2(self, d2)
    s3(self, a3)
    s4(self, a4)
    s5(self, a5)
    s6(self, a6)
    s7(self, a7)
    s8(self, m8(self))
    s9(self, m9(self))
    v7(self, o7, self.f7)


def frozen_d_d_d_a_a_a_a_s_s(self, a3, a4, a5, a6):
    s0(self, d0)
    s1(self, d1)
    s2(self, d2)
    s3(self, a3)
    s4(self, a4)
    s5(self, a5)
    s6(self, a6)
    s7(self, m7(self))
    s8(self, m8(self))


def frozen_d_d_d_a_a_a_s_s(self, a3, a4, a5):
    s0(self, d0)
    s1(self, d1)
    s2(self, d2)
    s3(self, a3)
    s4(self, a4)
    s5(self, a5)
    s6(self, m6(self))
    s7(self, m7(self))


def frozen_d_d_d_a_a_s_s(self, a3, a4):
    s0(self, d0)
    s1(self, d1)
    s2(self, d2)
    s3(self, a3)
    s4(self, a4)
    s5(self, m5(self))
    s6(self, m6(self))


def frozen_d_d_d_a_av(self, a3, a4):
    s0(self, d0)
    s1(self, d1)
    s2(self, d2)
    s3(self, a3)
    s4(self, a4)
    v4(self, o4, self.f4)


def frozen_k_d(self, *, a0):
    s0(self, a0)
    s1(self, d1)


def frozen_k_d_a_av(self, a2, a3, *, a0):
    s0(self, a0)
    s1(self, d1)
    s2(self, a2)
    s3(self, a3)
    v3(self, o3, self.f3)


def frozen_k_d_a_s_s(self, a2, *, a0):
    s0(self, a0)
    s1(self, d1)
    s2(self, a2)
    s3(self, m3(self))
    s4(self, m4(self))


def frozen_k_d_ac_a_s_s(self, a2, a3, *, a0):
    s0(self, a0)
    s1(self, d1)
    s2(self, c2(a2))
    s3(self, a3)
    s4(self, m4(self))
    s5(self, m5(self))


def frozen_k_d_ac_s(self, a2, *, a0):
    s0(self, a0)
    s1(self, d1)
    s2(self, c2(a2))
    s3(self, m3(self))


def frozen_k_d_ac_s_s(self, a2, *, a0):
    s0(self, a0)
    s1(self, d1)
    s2(self, c2(a2))
    s3(self, m3(self))
    s4(self, m4(self))


def frozen_k_d_av(self, a2, *, a0):
    s0(self, a0)
    s1(self, d1)
    s2(self, a2)
    v2(self, o2, self.f2)


def frozen_k_k_k_k_k_k_k_k_k_k_k_k_k(self, *, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12):
    s0(self, a0)
    s1(self, a1)
    s2(self, a2)
    s3(self, a3)
    s4(self, a4)
    s5(self, a5)
    s6(self, a6)
    s7(self, a7)
    s8(self, a8)
    s9(self, a9)
    s10(self, a10)
    s11(self, a11)
    s12(self, a12)


def frozen_k_k_k_k_k_k_k_k_k_k_k_k_k_k_k_k_k_k_k_k_k_k_k_k_k_k_k_k_k_k_k_k_k_k_k_k_m(self, *, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35):
    s0(self, a0)
    s1(self, a1)
    s2(self, a2)
    s3(self, a3)
    s4(self, a4)
    s5(self, a5)
    s6(self, a6)
    s7(self, a7)
    s8(self, a8)
    s9(self, a9)
    s10(self, a10)
    s11(self, a11)
    s12(self, a12)
    s13(self, a13)
    s14(self, a14)
    s15(self, a15)
    s16(self, a16)
    s17(self, a17)
    s18(self, a18)
    s19(self, a19)
    s20(self, a20)
    s21(self, a21)
    s22(self, a22)
    s23(self, a23)
    s24(self, a24)
    s25(self, a25)
    s26(self, a26)
    s27(self, a27)
    s28(self, a28)
    s29(self, a29)
    s30(self, a30)
    s31(self, a31)
    s32(self, a32)
    s33(self, a33)
    s34(self, a34)
    s35(self, a35)
    s36(self, m36())


def open_a(self, a0):
    self.f0 = a0


def open_a_a(self, a0, a1):
    self.f0 = a0
    self.f1 = a1


def open_a_a_a(self, a0, a1, a2):
    self.f0 = a0
    self.f1 = a1
    self.f2 = a2


def open_a_a_a_a(self, a0, a1, a2, a3):
    self.f0 = a0
    self.f1 = a1
    self.f2 = a2
    self.f3 = a3


def open_a_a_a_a_a(self, a0, a1, a2, a3, a4):
    self.f0 = a0
    self.f1 = a1
    self.f2 = a2
    self.f3 = a3
    self.f4 = a4


def open_a_a_a_a_a_a(self, a0, a1, a2, a3, a4, a5):
    self.f0 = a0
    self.f1 = a1
    self.f2 = a2
    self.f3 = a3
    self.f4 = a4
    self.f5 = a5


def open_a_a_a_a_a_a_a(self, a0, a1, a2, a3, a4, a5, a6):
    self.f0 = a0
    self.f1 = a1
    self.f2 = a2
    self.f3 = a3
    self.f4 = a4
    self.f5 = a5
    self.f6 = a6


def open_a_a_a_a_a_a_a_a(self, a0, a1, a2, a3, a4, a5, a6, a7):
    self.f0 = a0
    self.f1 = a1
    self.f2 = a2
    self.f3 = a3
    self.f4 = a4
    self.f5 = a5
    self.f6 = a6
    self.f7 = a7


def open_a_a_a_a_a_a_a_a_a(self, a0, a1, a2, a3, a4, a5, a6, a7, a8):
    self.f0 = a0
    self.f1 = a1
    self.f2 = a2
    self.f3 = a3
    self.f4 = a4
    self.f5 = a5
    self.f6 = a6
    self.f7 = a7
    self.f8 = a8


def open_a_a_a_a_a_a_a_a_a_a_a(self, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10):
    self.f0 = a0
    self.f1 = a1
    self.f2 = a2
    self.f3 = a3
    self.f4 = a4
    self.f5 = a5
    self.f6 = a6
    self.f7 = a7
    self.f8 = a8
    self.f9 = a9
    self.f10 = a10


def open_a_a_a_a_a_a_a_a_a_a_a_a(self, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11):
    self.f0 = a0
    self.f1 = a1
    self.f2 = a2
    self.f3 = a3
    self.f4 = a4
    self.f5 = a5
    self.f6 = a6
    self.f7 = a7
    self.f8 = a8
    self.f9 = a9
    self.f10 = a10
    self.f11 = a11


def open_a_a_a_a_a_a_a_a_a_a_a_a_a_am_am_am_am_am_am(self, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18):
    self.f0 = a0
    self.f1 = a1
    self.f2 = a2
    self.f3 = a3
    self.f4 = a4
    self.f5 = a5
    self.f6 = a6
    self.f7 = a7
    self.f8 = a8
    self.f9 = a9
    self.f10 = a10
    self.f11 = a11
    self.f12 = a12
    if a13 is NOTHING: a13 = m13()
    self.f13 = a13
    if a14 is NOTHING: a14 = m14()
    self.f14 = a14
    if a15 is NOTHING: a15 = m15()
    self.f15 = a15
    if a16 is NOTHING: a16 = m16()
    self.f16 = a16
    if a17 is NOTHING: a17 = m17()
    self.f17 = a17
    if a18 is NOTHING: a18 = m18()
    self.f18 = a18


def open_a_a_a_a_a_a_a_a_n_post(self, a0, a1, a2, a3, a4, a5, a6, a7):
    self.f0 = a0
    self.f1 = a1
    self.f2 = a2
    self.f3 = a3
    self.f4 = a4
    self.f5 = a5
    self.f6 = a6
    self.f7 = a7
    self.__attrs_post_init__()


def open_a_a_am_am(self, a0, a1, a2, a3):
    self.f0 = a0
    self.f1 = a1
    if a2 is NOTHING: a2 = m2()
    self.f2 = a2
    if a3 is NOTHING: a3 = m3()
    self.f3 = a3


def open_a_k_k_k_k_a_a_a_am_am_a_am_a_a_a_am_a_a_a(self, a0, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, *, a1, a2, a3, a4):
    self.f0 = a0
    self.f1 = a1
    self.f2 = a2
    self.f3 = a3
    self.f4 = a4
    self.f5 = a5
    self.f6 = a6
    self.f7 = a7
    if a8 is NOTHING: a8 = m8()
    self.f8 = a8
    if a9 is NOTHING: a9 = m9()
    self.f9 = a9
    self.f10 = a10
    if a11 is NOTHING: a11 = m11()
    self.f11 = a11
    self.f12 = a12
    self.f13 = a13
    self.f14 = a14
    if a15 is NOTHING: a15 = m15()
    self.f15 = a15
    self.f16 = a16
    self.f17 = a17
    self.f18 = a18
