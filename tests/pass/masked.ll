; Masked accesses of vectors: gathers and scatters of the ABI, through private slots; where all lanes are on,
; ordinary accesses.
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.store.v2p0.p0(<2 x ptr>, ptr, i32, <2 x i1>)
declare <2 x double> @llvm.masked.gather.v2f64.v2p0(<2 x ptr>, i32, <2 x i1>, <2 x double>)
declare void @llvm.masked.scatter.v2i8.v2p0(<2 x i8>, <2 x ptr>, i32, <2 x i1>)
declare <2 x i16> @llvm.masked.expandload.v2i16(ptr, <2 x i1>, <2 x i16>)
declare void @llvm.masked.compressstore.v2i16(<2 x i16>, ptr, <2 x i1>)
define <4 x i32> @loads(ptr %p, <4 x i1> %m, <4 x i32> %o) {
  %v = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, i32 4, <4 x i1> %m, <4 x i32> %o)
  ret <4 x i32> %v
}
define void @stores(<2 x ptr> %v, ptr %p, <2 x i1> %m) {
  call void @llvm.masked.store.v2p0.p0(<2 x ptr> %v, ptr %p, i32 8, <2 x i1> %m)
  ret void
}
define <2 x double> @gathers(<2 x ptr> %p, <2 x i1> %m) {
  %v = call <2 x double> @llvm.masked.gather.v2f64.v2p0(<2 x ptr> %p, i32 8, <2 x i1> %m, <2 x double> undef)
  ret <2 x double> %v
}
define void @scatters(<2 x i8> %v, <2 x ptr> %p, <2 x i1> %m) {
  call void @llvm.masked.scatter.v2i8.v2p0(<2 x i8> %v, <2 x ptr> %p, i32 1, <2 x i1> %m)
  ret void
}
define void @packed(ptr %p, ptr %q, <2 x i1> %m) {
  %v = call <2 x i16> @llvm.masked.expandload.v2i16(ptr %p, <2 x i1> %m, <2 x i16> zeroinitializer)
  call void @llvm.masked.compressstore.v2i16(<2 x i16> %v, ptr %q, <2 x i1> %m)
  ret void
}
define <4 x i32> @all_lanes(ptr %p) {
  %v = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, i32 4, <4 x i1> <i1 1, i1 1, i1 1, i1 1>, <4 x i32> undef)
  ret <4 x i32> %v
}
