declare <128 x i8> @llvm.masked.load.v128i8.p0(ptr, i32, <128 x i1>, <128 x i8>)
define <128 x i8> @many(ptr %p, <128 x i1> %m) {
  %v = call <128 x i8> @llvm.masked.load.v128i8.p0(ptr %p, i32 1, <128 x i1> %m, <128 x i8> undef)
  ret <128 x i8> %v
}
