declare <4 x i32> @llvm.vp.load.v4i32.p0(ptr, <4 x i1>, i32)
define <4 x i32> @vectorised(ptr %p, <4 x i1> %m) {
  %v = call <4 x i32> @llvm.vp.load.v4i32.p0(ptr %p, <4 x i1> %m, i32 3)
  ret <4 x i32> %v
}
