; Vectors and first-class aggregates travel through one slot per type; types without size access nothing.
%pair = type { i32, i64 }
@p = global [4 x i64] zeroinitializer

define %pair @aggregates(%pair %x) {
  %a = load <4 x i32>, ptr @p
  store <4 x i32> %a, ptr @p
  %b = load <3 x i1>, ptr @p
  store <3 x i1> %b, ptr @p
  %c = load [3 x i16], ptr @p
  store [3 x i16] %c, ptr @p
  store %pair %x, ptr @p
  %d = load %pair, ptr @p
  store x86_mmx undef, ptr @p
  %empty = load {}, ptr @p
  store {} %empty, ptr @p
  ret %pair %d
}
