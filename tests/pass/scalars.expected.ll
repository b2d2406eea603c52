; ModuleID = 'scalars.ll'
source_filename = "scalars.ll"

@p = global i64 0

define void @integers() {
  %rmc.slot1 = alloca i256, align 8
  %rmc.slot = alloca i24, align 4
  %1 = call i8 @__rmc_load_1(ptr @p, i32 0)
  %a = trunc i8 %1 to i1
  %2 = zext i1 %a to i8
  call void @__rmc_store_1(ptr @p, i8 %2, i32 0)
  %3 = call i8 @__rmc_load_1(ptr @p, i32 0)
  %b = trunc i8 %3 to i7
  %4 = zext i7 %b to i8
  call void @__rmc_store_1(ptr @p, i8 %4, i32 0)
  %c = call i8 @__rmc_load_1(ptr @p, i32 0)
  call void @__rmc_store_1(ptr @p, i8 %c, i32 0)
  %d = call i16 @__rmc_load_2(ptr @p, i32 0)
  call void @__rmc_store_2(ptr @p, i16 %d, i32 0)
  %e = call i32 @__rmc_load_4(ptr @p, i32 0)
  call void @__rmc_store_4(ptr @p, i32 %e, i32 0)
  %f = call i64 @__rmc_load_8(ptr @p, i32 0)
  call void @__rmc_store_8(ptr @p, i64 %f, i32 0)
  %g = call i128 @__rmc_load_16(ptr @p, i32 0)
  call void @__rmc_store_16(ptr @p, i128 %g, i32 0)
  call void @llvm.lifetime.start.p0(i64 4, ptr %rmc.slot)
  call void @__rmc_load_n(ptr @p, ptr %rmc.slot, i64 3)
  %h = load i24, ptr %rmc.slot, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %rmc.slot)
  call void @llvm.lifetime.start.p0(i64 4, ptr %rmc.slot)
  store i24 %h, ptr %rmc.slot, align 4
  call void @__rmc_store_n(ptr @p, ptr %rmc.slot, i64 3)
  call void @llvm.lifetime.end.p0(i64 4, ptr %rmc.slot)
  %5 = call i64 @__rmc_load_8(ptr @p, i32 0)
  %i = trunc i64 %5 to i63
  %6 = zext i63 %i to i64
  call void @__rmc_store_8(ptr @p, i64 %6, i32 0)
  call void @llvm.lifetime.start.p0(i64 32, ptr %rmc.slot1)
  call void @__rmc_load_n(ptr @p, ptr %rmc.slot1, i64 32)
  %j = load i256, ptr %rmc.slot1, align 4
  call void @llvm.lifetime.end.p0(i64 32, ptr %rmc.slot1)
  call void @llvm.lifetime.start.p0(i64 32, ptr %rmc.slot1)
  store i256 %j, ptr %rmc.slot1, align 4
  call void @__rmc_store_n(ptr @p, ptr %rmc.slot1, i64 32)
  call void @llvm.lifetime.end.p0(i64 32, ptr %rmc.slot1)
  ret void
}

define void @floats() {
  %rmc.slot = alloca x86_fp80, align 16
  %1 = call i16 @__rmc_load_2(ptr @p, i32 0)
  %a = bitcast i16 %1 to half
  %2 = bitcast half %a to i16
  call void @__rmc_store_2(ptr @p, i16 %2, i32 0)
  %3 = call i16 @__rmc_load_2(ptr @p, i32 0)
  %b = bitcast i16 %3 to bfloat
  %4 = bitcast bfloat %b to i16
  call void @__rmc_store_2(ptr @p, i16 %4, i32 0)
  %5 = call i32 @__rmc_load_4(ptr @p, i32 0)
  %c = bitcast i32 %5 to float
  %6 = bitcast float %c to i32
  call void @__rmc_store_4(ptr @p, i32 %6, i32 0)
  %7 = call i64 @__rmc_load_8(ptr @p, i32 0)
  %d = bitcast i64 %7 to double
  %8 = bitcast double %d to i64
  call void @__rmc_store_8(ptr @p, i64 %8, i32 0)
  %9 = call i128 @__rmc_load_16(ptr @p, i32 0)
  %e = bitcast i128 %9 to fp128
  %10 = bitcast fp128 %e to i128
  call void @__rmc_store_16(ptr @p, i128 %10, i32 0)
  call void @llvm.lifetime.start.p0(i64 16, ptr %rmc.slot)
  call void @__rmc_load_n(ptr @p, ptr %rmc.slot, i64 10)
  %f = load x86_fp80, ptr %rmc.slot, align 16
  call void @llvm.lifetime.end.p0(i64 16, ptr %rmc.slot)
  call void @llvm.lifetime.start.p0(i64 16, ptr %rmc.slot)
  store x86_fp80 %f, ptr %rmc.slot, align 16
  call void @__rmc_store_n(ptr @p, ptr %rmc.slot, i64 10)
  call void @llvm.lifetime.end.p0(i64 16, ptr %rmc.slot)
  ret void
}

define ptr @pointers(ptr %where) {
  %1 = call i64 @__rmc_load_8(ptr %where, i32 0)
  %to = inttoptr i64 %1 to ptr
  %2 = ptrtoint ptr %to to i64
  call void @__rmc_store_8(ptr @p, i64 %2, i32 0)
  call void @__rmc_store_8(ptr %where, i64 0, i32 0)
  ret ptr %to
}

declare i8 @__rmc_load_1(ptr, i32)

declare void @__rmc_store_1(ptr, i8, i32)

declare i16 @__rmc_load_2(ptr, i32)

declare void @__rmc_store_2(ptr, i16, i32)

declare i32 @__rmc_load_4(ptr, i32)

declare void @__rmc_store_4(ptr, i32, i32)

declare i64 @__rmc_load_8(ptr, i32)

declare void @__rmc_store_8(ptr, i64, i32)

declare i128 @__rmc_load_16(ptr, i32)

declare void @__rmc_store_16(ptr, i128, i32)

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #0

declare void @__rmc_load_n(ptr, ptr, i64)

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #0

declare void @__rmc_store_n(ptr, ptr, i64)

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }

!rmc.instrumented = !{!0}

!0 = !{!"rmc.abi.v1"}
