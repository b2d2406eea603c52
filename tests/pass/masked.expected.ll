; ModuleID = 'masked.ll'
source_filename = "masked.ll"

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: read)
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr nocapture, i32 immarg, <4 x i1>, <4 x i32>) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.store.v2p0.p0(<2 x ptr>, ptr nocapture, i32 immarg, <2 x i1>) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(read)
declare <2 x double> @llvm.masked.gather.v2f64.v2p0(<2 x ptr>, i32 immarg, <2 x i1>, <2 x double>) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(write)
declare void @llvm.masked.scatter.v2i8.v2p0(<2 x i8>, <2 x ptr>, i32 immarg, <2 x i1>) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(read)
declare <2 x i16> @llvm.masked.expandload.v2i16(ptr nocapture, <2 x i1>, <2 x i16>) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: write)
declare void @llvm.masked.compressstore.v2i16(<2 x i16>, ptr nocapture, <2 x i1>) #1

define <4 x i32> @loads(ptr %p, <4 x i1> %m, <4 x i32> %o) {
  %rmc.slot1 = alloca <4 x i32>, align 16
  %rmc.slot = alloca [4 x ptr], align 8
  %1 = getelementptr i8, ptr %p, i64 0
  %2 = insertelement <4 x ptr> poison, ptr %1, i32 0
  %3 = getelementptr i8, ptr %p, i64 4
  %4 = insertelement <4 x ptr> %2, ptr %3, i32 1
  %5 = getelementptr i8, ptr %p, i64 8
  %6 = insertelement <4 x ptr> %4, ptr %5, i32 2
  %7 = getelementptr i8, ptr %p, i64 12
  %8 = insertelement <4 x ptr> %6, ptr %7, i32 3
  %9 = select <4 x i1> %m, <4 x ptr> %8, <4 x ptr> zeroinitializer
  call void @llvm.lifetime.start.p0(i64 32, ptr %rmc.slot)
  call void @llvm.lifetime.start.p0(i64 16, ptr %rmc.slot1)
  store <4 x ptr> %9, ptr %rmc.slot, align 8
  %10 = bitcast <4 x i1> %m to i4
  %11 = zext i4 %10 to i64
  call void @__rmc_gather_4(ptr %rmc.slot, ptr %rmc.slot1, i64 %11, i64 4)
  %12 = load <4 x i32>, ptr %rmc.slot1, align 16
  call void @llvm.lifetime.end.p0(i64 16, ptr %rmc.slot1)
  call void @llvm.lifetime.end.p0(i64 32, ptr %rmc.slot)
  %v = select <4 x i1> %m, <4 x i32> %12, <4 x i32> %o
  ret <4 x i32> %v
}

define void @stores(<2 x ptr> %v, ptr %p, <2 x i1> %m) {
  %rmc.slot1 = alloca <2 x ptr>, align 16
  %rmc.slot = alloca [2 x ptr], align 8
  %1 = getelementptr i8, ptr %p, i64 0
  %2 = insertelement <2 x ptr> poison, ptr %1, i32 0
  %3 = getelementptr i8, ptr %p, i64 8
  %4 = insertelement <2 x ptr> %2, ptr %3, i32 1
  %5 = select <2 x i1> %m, <2 x ptr> %4, <2 x ptr> zeroinitializer
  %6 = select <2 x i1> %m, <2 x ptr> %v, <2 x ptr> zeroinitializer
  call void @llvm.lifetime.start.p0(i64 16, ptr %rmc.slot)
  call void @llvm.lifetime.start.p0(i64 16, ptr %rmc.slot1)
  store <2 x ptr> %5, ptr %rmc.slot, align 8
  store <2 x ptr> %6, ptr %rmc.slot1, align 16
  %7 = bitcast <2 x i1> %m to i2
  %8 = zext i2 %7 to i64
  call void @__rmc_scatter_8(ptr %rmc.slot, ptr %rmc.slot1, i64 %8, i64 2)
  call void @llvm.lifetime.end.p0(i64 16, ptr %rmc.slot1)
  call void @llvm.lifetime.end.p0(i64 16, ptr %rmc.slot)
  ret void
}

define <2 x double> @gathers(<2 x ptr> %p, <2 x i1> %m) {
  %rmc.slot1 = alloca <2 x double>, align 16
  %rmc.slot = alloca [2 x ptr], align 8
  %1 = select <2 x i1> %m, <2 x ptr> %p, <2 x ptr> zeroinitializer
  call void @llvm.lifetime.start.p0(i64 16, ptr %rmc.slot)
  call void @llvm.lifetime.start.p0(i64 16, ptr %rmc.slot1)
  store <2 x ptr> %1, ptr %rmc.slot, align 8
  %2 = bitcast <2 x i1> %m to i2
  %3 = zext i2 %2 to i64
  call void @__rmc_gather_8(ptr %rmc.slot, ptr %rmc.slot1, i64 %3, i64 2)
  %4 = load <2 x double>, ptr %rmc.slot1, align 16
  call void @llvm.lifetime.end.p0(i64 16, ptr %rmc.slot1)
  call void @llvm.lifetime.end.p0(i64 16, ptr %rmc.slot)
  %v = select <2 x i1> %m, <2 x double> %4, <2 x double> undef
  ret <2 x double> %v
}

define void @scatters(<2 x i8> %v, <2 x ptr> %p, <2 x i1> %m) {
  %rmc.slot1 = alloca <2 x i8>, align 2
  %rmc.slot = alloca [2 x ptr], align 8
  %1 = select <2 x i1> %m, <2 x ptr> %p, <2 x ptr> zeroinitializer
  %2 = select <2 x i1> %m, <2 x i8> %v, <2 x i8> zeroinitializer
  call void @llvm.lifetime.start.p0(i64 16, ptr %rmc.slot)
  call void @llvm.lifetime.start.p0(i64 2, ptr %rmc.slot1)
  store <2 x ptr> %1, ptr %rmc.slot, align 8
  store <2 x i8> %2, ptr %rmc.slot1, align 2
  %3 = bitcast <2 x i1> %m to i2
  %4 = zext i2 %3 to i64
  call void @__rmc_scatter_1(ptr %rmc.slot, ptr %rmc.slot1, i64 %4, i64 2)
  call void @llvm.lifetime.end.p0(i64 2, ptr %rmc.slot1)
  call void @llvm.lifetime.end.p0(i64 16, ptr %rmc.slot)
  ret void
}

define void @packed(ptr %p, ptr %q, <2 x i1> %m) {
  %rmc.slot1 = alloca <2 x i16>, align 4
  %rmc.slot = alloca [2 x ptr], align 8
  %1 = getelementptr i8, ptr %p, i64 0
  %2 = insertelement <2 x ptr> poison, ptr %1, i32 0
  %3 = extractelement <2 x i1> %m, i32 0
  %4 = select i1 %3, i64 2, i64 0
  %5 = add i64 0, %4
  %6 = getelementptr i8, ptr %p, i64 %5
  %7 = insertelement <2 x ptr> %2, ptr %6, i32 1
  %8 = extractelement <2 x i1> %m, i32 1
  %9 = select i1 %8, i64 2, i64 0
  %10 = add i64 %5, %9
  %11 = select <2 x i1> %m, <2 x ptr> %7, <2 x ptr> zeroinitializer
  call void @llvm.lifetime.start.p0(i64 16, ptr %rmc.slot)
  call void @llvm.lifetime.start.p0(i64 4, ptr %rmc.slot1)
  store <2 x ptr> %11, ptr %rmc.slot, align 8
  %12 = bitcast <2 x i1> %m to i2
  %13 = zext i2 %12 to i64
  call void @__rmc_gather_2(ptr %rmc.slot, ptr %rmc.slot1, i64 %13, i64 2)
  %14 = load <2 x i16>, ptr %rmc.slot1, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %rmc.slot1)
  call void @llvm.lifetime.end.p0(i64 16, ptr %rmc.slot)
  %v = select <2 x i1> %m, <2 x i16> %14, <2 x i16> zeroinitializer
  %15 = getelementptr i8, ptr %q, i64 0
  %16 = insertelement <2 x ptr> poison, ptr %15, i32 0
  %17 = extractelement <2 x i1> %m, i32 0
  %18 = select i1 %17, i64 2, i64 0
  %19 = add i64 0, %18
  %20 = getelementptr i8, ptr %q, i64 %19
  %21 = insertelement <2 x ptr> %16, ptr %20, i32 1
  %22 = extractelement <2 x i1> %m, i32 1
  %23 = select i1 %22, i64 2, i64 0
  %24 = add i64 %19, %23
  %25 = select <2 x i1> %m, <2 x ptr> %21, <2 x ptr> zeroinitializer
  %26 = select <2 x i1> %m, <2 x i16> %v, <2 x i16> zeroinitializer
  call void @llvm.lifetime.start.p0(i64 16, ptr %rmc.slot)
  call void @llvm.lifetime.start.p0(i64 4, ptr %rmc.slot1)
  store <2 x ptr> %25, ptr %rmc.slot, align 8
  store <2 x i16> %26, ptr %rmc.slot1, align 4
  %27 = bitcast <2 x i1> %m to i2
  %28 = zext i2 %27 to i64
  call void @__rmc_scatter_2(ptr %rmc.slot, ptr %rmc.slot1, i64 %28, i64 2)
  call void @llvm.lifetime.end.p0(i64 4, ptr %rmc.slot1)
  call void @llvm.lifetime.end.p0(i64 16, ptr %rmc.slot)
  ret void
}

define <4 x i32> @all_lanes(ptr %p) {
  %rmc.slot = alloca <4 x i32>, align 16
  call void @llvm.lifetime.start.p0(i64 16, ptr %rmc.slot)
  call void @__rmc_load_n(ptr %p, ptr %rmc.slot, i64 16)
  %v = load <4 x i32>, ptr %rmc.slot, align 16
  call void @llvm.lifetime.end.p0(i64 16, ptr %rmc.slot)
  ret <4 x i32> %v
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #4

declare void @__rmc_gather_4(ptr, ptr, i64, i64)

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #4

declare void @__rmc_scatter_8(ptr, ptr, i64, i64)

declare void @__rmc_gather_8(ptr, ptr, i64, i64)

declare void @__rmc_scatter_1(ptr, ptr, i64, i64)

declare void @__rmc_gather_2(ptr, ptr, i64, i64)

declare void @__rmc_scatter_2(ptr, ptr, i64, i64)

declare void @__rmc_load_n(ptr, ptr, i64)

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: read) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: write) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(read) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(write) }
attributes #4 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }

!rmc.instrumented = !{!0}

!0 = !{!"rmc.abi.v1"}
