; ModuleID = 'scalars.ll'
source_filename = "scalars.ll"

@p = global i64 0

define void @integers() {
  %rmc.slot5 = alloca i256, align 8
  %rmc.slot4 = alloca i63, align 8
  %rmc.slot3 = alloca i24, align 4
  %rmc.slot2 = alloca i128, align 8
  %rmc.slot1 = alloca i64, align 8
  %rmc.slot = alloca i16, align 2
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
  call void @llvm.lifetime.start.p0(i64 2, ptr %rmc.slot)
  call void @__rmc_load_n(ptr @p, ptr %rmc.slot, i64 2)
  %d = load i16, ptr %rmc.slot, align 2
  call void @llvm.lifetime.end.p0(i64 2, ptr %rmc.slot)
  call void @llvm.lifetime.start.p0(i64 2, ptr %rmc.slot)
  store i16 %d, ptr %rmc.slot, align 2
  call void @__rmc_store_n(ptr @p, ptr %rmc.slot, i64 2)
  call void @llvm.lifetime.end.p0(i64 2, ptr %rmc.slot)
  %e = call i32 @__rmc_load_4(ptr @p, i32 0)
  call void @__rmc_store_4(ptr @p, i32 %e, i32 0)
  call void @llvm.lifetime.start.p0(i64 8, ptr %rmc.slot1)
  call void @__rmc_load_n(ptr @p, ptr %rmc.slot1, i64 8)
  %f = load i64, ptr %rmc.slot1, align 4
  call void @llvm.lifetime.end.p0(i64 8, ptr %rmc.slot1)
  call void @llvm.lifetime.start.p0(i64 8, ptr %rmc.slot1)
  store i64 %f, ptr %rmc.slot1, align 4
  call void @__rmc_store_n(ptr @p, ptr %rmc.slot1, i64 8)
  call void @llvm.lifetime.end.p0(i64 8, ptr %rmc.slot1)
  call void @llvm.lifetime.start.p0(i64 16, ptr %rmc.slot2)
  call void @__rmc_load_n(ptr @p, ptr %rmc.slot2, i64 16)
  %g = load i128, ptr %rmc.slot2, align 4
  call void @llvm.lifetime.end.p0(i64 16, ptr %rmc.slot2)
  call void @llvm.lifetime.start.p0(i64 16, ptr %rmc.slot2)
  store i128 %g, ptr %rmc.slot2, align 4
  call void @__rmc_store_n(ptr @p, ptr %rmc.slot2, i64 16)
  call void @llvm.lifetime.end.p0(i64 16, ptr %rmc.slot2)
  call void @llvm.lifetime.start.p0(i64 4, ptr %rmc.slot3)
  call void @__rmc_load_n(ptr @p, ptr %rmc.slot3, i64 3)
  %h = load i24, ptr %rmc.slot3, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %rmc.slot3)
  call void @llvm.lifetime.start.p0(i64 4, ptr %rmc.slot3)
  store i24 %h, ptr %rmc.slot3, align 4
  call void @__rmc_store_n(ptr @p, ptr %rmc.slot3, i64 3)
  call void @llvm.lifetime.end.p0(i64 4, ptr %rmc.slot3)
  call void @llvm.lifetime.start.p0(i64 8, ptr %rmc.slot4)
  call void @__rmc_load_n(ptr @p, ptr %rmc.slot4, i64 8)
  %i = load i63, ptr %rmc.slot4, align 4
  call void @llvm.lifetime.end.p0(i64 8, ptr %rmc.slot4)
  call void @llvm.lifetime.start.p0(i64 8, ptr %rmc.slot4)
  store i63 %i, ptr %rmc.slot4, align 4
  call void @__rmc_store_n(ptr @p, ptr %rmc.slot4, i64 8)
  call void @llvm.lifetime.end.p0(i64 8, ptr %rmc.slot4)
  call void @llvm.lifetime.start.p0(i64 32, ptr %rmc.slot5)
  call void @__rmc_load_n(ptr @p, ptr %rmc.slot5, i64 32)
  %j = load i256, ptr %rmc.slot5, align 4
  call void @llvm.lifetime.end.p0(i64 32, ptr %rmc.slot5)
  call void @llvm.lifetime.start.p0(i64 32, ptr %rmc.slot5)
  store i256 %j, ptr %rmc.slot5, align 4
  call void @__rmc_store_n(ptr @p, ptr %rmc.slot5, i64 32)
  call void @llvm.lifetime.end.p0(i64 32, ptr %rmc.slot5)
  ret void
}

define void @floats() {
  %rmc.slot1 = alloca x86_fp80, align 16
  %rmc.slot = alloca fp128, align 16
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
  call void @llvm.lifetime.start.p0(i64 16, ptr %rmc.slot)
  call void @__rmc_load_n(ptr @p, ptr %rmc.slot, i64 16)
  %e = load fp128, ptr %rmc.slot, align 16
  call void @llvm.lifetime.end.p0(i64 16, ptr %rmc.slot)
  call void @llvm.lifetime.start.p0(i64 16, ptr %rmc.slot)
  store fp128 %e, ptr %rmc.slot, align 16
  call void @__rmc_store_n(ptr @p, ptr %rmc.slot, i64 16)
  call void @llvm.lifetime.end.p0(i64 16, ptr %rmc.slot)
  call void @llvm.lifetime.start.p0(i64 16, ptr %rmc.slot1)
  call void @__rmc_load_n(ptr @p, ptr %rmc.slot1, i64 10)
  %f = load x86_fp80, ptr %rmc.slot1, align 16
  call void @llvm.lifetime.end.p0(i64 16, ptr %rmc.slot1)
  call void @llvm.lifetime.start.p0(i64 16, ptr %rmc.slot1)
  store x86_fp80 %f, ptr %rmc.slot1, align 16
  call void @__rmc_store_n(ptr @p, ptr %rmc.slot1, i64 10)
  call void @llvm.lifetime.end.p0(i64 16, ptr %rmc.slot1)
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

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #0

declare void @__rmc_load_n(ptr, ptr, i64)

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #0

declare void @__rmc_store_n(ptr, ptr, i64)

declare i32 @__rmc_load_4(ptr, i32)

declare void @__rmc_store_4(ptr, i32, i32)

declare i16 @__rmc_load_2(ptr, i32)

declare void @__rmc_store_2(ptr, i16, i32)

declare i64 @__rmc_load_8(ptr, i32)

declare void @__rmc_store_8(ptr, i64, i32)

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }

!rmc.instrumented = !{!0}

!0 = !{!"rmc.abi.v1"}
