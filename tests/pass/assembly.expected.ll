; ModuleID = 'assembly.ll'
source_filename = "assembly.ll"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @fences() {
  call void @__rmc_fence(i32 5)
  call void @__rmc_fence(i32 3)
  call void @__rmc_fence(i32 5)
  call void @__rmc_fence(i32 5)
  call void @__rmc_fence(i32 5)
  ret void
}

define i32 @hidden(i32 %0, ptr %1) {
  ret i32 %0
}

define i32 @xadd(ptr %0, i32 %1) {
  %3 = call i32 @__rmc_rmw_4(ptr %0, i32 %1, i32 1, i32 5)
  ret i32 %3
}

define i32 @xadd_by_register(ptr %0, i32 %1) {
  %3 = call i32 @__rmc_rmw_4(ptr %0, i32 %1, i32 1, i32 5)
  ret i32 %3
}

define zeroext i16 @xaddw(ptr %0, i16 zeroext %1) {
  %3 = call i16 @__rmc_rmw_2(ptr %0, i16 %1, i32 1, i32 5)
  ret i16 %3
}

define zeroext i8 @xchgb(ptr %0, i8 zeroext %1) {
  %3 = call i8 @__rmc_rmw_1(ptr %0, i8 %1, i32 0, i32 5)
  ret i8 %3
}

define ptr @xchgq(ptr %0, ptr %1) {
  %3 = ptrtoint ptr %1 to i64
  %4 = call i64 @__rmc_rmw_8(ptr %0, i64 %3, i32 0, i32 5)
  %5 = inttoptr i64 %4 to ptr
  ret ptr %5
}

define i64 @cmpxchg(ptr %0, i64 %1, i64 %2) {
  %4 = call i64 @__rmc_cmpxchg_8(ptr %0, i64 %1, i64 %2, i32 5, i32 5)
  ret i64 %4
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #0

define zeroext i1 @ck_cas(ptr %0, i32 %1, i32 %2) {
  %4 = call i32 @__rmc_cmpxchg_4(ptr %0, i32 %1, i32 %2, i32 5, i32 5)
  %5 = sub i32 %1, %4
  %6 = icmp eq i32 %5, 0
  %7 = zext i1 %6 to i8
  %8 = and i8 %7, 1
  %9 = icmp ne i8 %8, 0
  ret i1 %9
}

define zeroext i1 @ck_cas_value(ptr %0, i32 %1, i32 %2, ptr %3) {
  %5 = call i32 @__rmc_cmpxchg_4(ptr %0, i32 %1, i32 %2, i32 5, i32 5)
  call void @__rmc_store_4(ptr %3, i32 %5, i32 1)
  %6 = sub i32 %1, %5
  %7 = icmp eq i32 %6, 0
  %8 = zext i1 %7 to i8
  %9 = and i8 %8, 1
  %10 = icmp ne i8 %9, 0
  ret i1 %10
}

define zeroext i1 @cas_flag(ptr %0, i32 %1, i32 %2) {
  %4 = call i32 @__rmc_cmpxchg_4(ptr %0, i32 %1, i32 %2, i32 5, i32 5)
  %5 = sub i32 %1, %4
  %6 = icmp eq i32 %5, 0
  %7 = zext i1 %6 to i8
  %8 = insertvalue { i8, i32 } poison, i8 %7, 0
  %9 = insertvalue { i8, i32 } %8, i32 %4, 1
  %10 = extractvalue { i8, i32 } %9, 0
  %11 = icmp ult i8 %10, 2
  tail call void @llvm.assume(i1 %11)
  %12 = icmp ne i8 %10, 0
  ret i1 %12
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.assume(i1 noundef) #1

define zeroext i1 @sete(ptr %0, i32 %1, i32 %2) {
  %4 = call i32 @__rmc_cmpxchg_4(ptr %0, i32 %1, i32 %2, i32 5, i32 5)
  %5 = sub i32 %1, %4
  %6 = icmp eq i32 %5, 0
  %7 = zext i1 %6 to i8
  %8 = insertvalue { i8, i32 } poison, i8 %7, 0
  %9 = insertvalue { i8, i32 } %8, i32 %4, 1
  %10 = extractvalue { i8, i32 } %9, 0
  %11 = icmp ne i8 %10, 0
  ret i1 %11
}

define zeroext i1 @dec_and_test(ptr %0) {
  %2 = alloca i8, align 1
  call void @llvm.lifetime.start.p0(i64 1, ptr nonnull %2)
  %3 = call i32 @__rmc_rmw_4(ptr %0, i32 1, i32 2, i32 5)
  %4 = sub i32 %3, 1
  %5 = icmp eq i32 %4, 0
  %6 = zext i1 %5 to i8
  call void @__rmc_store_1(ptr %2, i8 %6, i32 0)
  %7 = call i8 @__rmc_load_1(ptr %2, i32 0)
  %8 = icmp ne i8 %7, 0
  call void @__rmc_lifetime_end(ptr %2, i64 1)
  call void @llvm.lifetime.end.p0(i64 1, ptr nonnull %2)
  call void @__rmc_lifetime_end(ptr %2, i64 1)
  ret i1 %8
}

define zeroext i1 @dec_and_test_flag(ptr %0) {
  %2 = call i32 @__rmc_rmw_4(ptr %0, i32 1, i32 2, i32 5)
  %3 = sub i32 %2, 1
  %4 = icmp eq i32 %3, 0
  %5 = zext i1 %4 to i8
  %6 = icmp ult i8 %5, 2
  tail call void @llvm.assume(i1 %6)
  %7 = icmp ne i8 %5, 0
  ret i1 %7
}

define zeroext i1 @add_negative(ptr %0, i32 %1) {
  %3 = alloca i8, align 1
  call void @llvm.lifetime.start.p0(i64 1, ptr nonnull %3)
  %4 = call i32 @__rmc_rmw_4(ptr %0, i32 %1, i32 1, i32 5)
  %5 = add i32 %4, %1
  %6 = icmp slt i32 %5, 0
  %7 = zext i1 %6 to i8
  call void @__rmc_store_1(ptr %3, i8 %7, i32 0)
  %8 = call i8 @__rmc_load_1(ptr %3, i32 0)
  %9 = icmp ne i8 %8, 0
  call void @__rmc_lifetime_end(ptr %3, i64 1)
  call void @llvm.lifetime.end.p0(i64 1, ptr nonnull %3)
  call void @__rmc_lifetime_end(ptr %3, i64 1)
  ret i1 %9
}

define zeroext i1 @add_negative_r(ptr %0, i32 %1) {
  %3 = call i32 @__rmc_rmw_4(ptr %0, i32 %1, i32 1, i32 5)
  %4 = add i32 %3, %1
  %5 = icmp slt i32 %4, 0
  %6 = zext i1 %5 to i8
  %7 = and i8 %6, 1
  %8 = icmp ne i8 %7, 0
  ret i1 %8
}

define void @forms(ptr %0, ptr %1, ptr %2) {
  %4 = call i32 @__rmc_rmw_4(ptr %0, i32 5, i32 1, i32 5)
  %5 = call i64 @__rmc_rmw_8(ptr %2, i64 7, i32 2, i32 5)
  %6 = call i32 @__rmc_rmw_4(ptr %0, i32 1, i32 1, i32 5)
  %7 = call i8 @__rmc_rmw_1(ptr %1, i8 1, i32 1, i32 5)
  %8 = call i8 @__rmc_rmw_1(ptr %1, i8 -128, i32 5, i32 5)
  %9 = call i32 @__rmc_rmw_4(ptr %0, i32 15, i32 3, i32 5)
  %10 = call i64 @__rmc_rmw_8(ptr %2, i64 9, i32 6, i32 5)
  ret void
}

define i32 @moves(ptr %0, ptr %1, i32 %2, double %3) {
  call void @__rmc_store_4(ptr %0, i32 1, i32 1)
  call void @__rmc_store_4(ptr %0, i32 %2, i32 1)
  call void @__rmc_fence(i32 5)
  %5 = trunc i32 %2 to i8
  call void @__rmc_store_1(ptr %0, i8 %5, i32 1)
  %6 = bitcast double %3 to i64
  call void @__rmc_store_8(ptr %0, i64 %6, i32 1)
  %7 = call i32 @__rmc_load_4(ptr %0, i32 1)
  %8 = ptrtoint ptr %0 to i64
  %9 = add i64 %8, 4
  %10 = inttoptr i64 %9 to ptr
  %11 = call i32 @__rmc_load_4(ptr %10, i32 1)
  %12 = call i64 @__rmc_load_8(ptr %1, i32 1)
  %13 = inttoptr i64 %12 to ptr
  %14 = add i32 %7, %11
  ret i32 %14
}

define void @twice(ptr %0) {
  %2 = call i32 @__rmc_rmw_4(ptr %0, i32 1, i32 1, i32 5)
  %3 = call i32 @__rmc_rmw_4(ptr %0, i32 -1, i32 6, i32 5)
  ret void
}

define { i64, i64 } @pair(ptr %0, i64 %1, i64 %2, i64 %3, i64 %4) {
  %6 = zext i64 %1 to i128
  %7 = zext i64 %2 to i128
  %8 = shl i128 %7, 64
  %9 = or i128 %8, %6
  %10 = zext i64 %3 to i128
  %11 = zext i64 %4 to i128
  %12 = shl i128 %11, 64
  %13 = or i128 %12, %10
  %14 = call i128 @__rmc_cmpxchg_16(ptr %0, i128 %9, i128 %13, i32 5, i32 5)
  %15 = trunc i128 %14 to i64
  %16 = lshr i128 %14, 64
  %17 = trunc i128 %16 to i64
  %18 = sub i128 %9, %14
  %19 = icmp eq i128 %18, 0
  %20 = zext i1 %19 to i8
  %21 = insertvalue { i64, i64, i8 } poison, i64 %15, 0
  %22 = insertvalue { i64, i64, i8 } %21, i64 %17, 1
  %23 = insertvalue { i64, i64, i8 } %22, i8 %20, 2
  %24 = extractvalue { i64, i64, i8 } %23, 0
  %25 = extractvalue { i64, i64, i8 } %23, 1
  %26 = insertvalue { i64, i64 } poison, i64 %24, 0
  %27 = insertvalue { i64, i64 } %26, i64 %25, 1
  ret { i64, i64 } %27
}

define i8 @pair_loaded(ptr %0, ptr %1, i64 %2, i64 %3) {
  %5 = call i64 @__rmc_load_8(ptr %1, i32 1)
  %6 = ptrtoint ptr %1 to i64
  %7 = add i64 %6, 8
  %8 = inttoptr i64 %7 to ptr
  %9 = call i64 @__rmc_load_8(ptr %8, i32 1)
  %10 = zext i64 %5 to i128
  %11 = zext i64 %9 to i128
  %12 = shl i128 %11, 64
  %13 = or i128 %12, %10
  %14 = zext i64 %2 to i128
  %15 = zext i64 %3 to i128
  %16 = shl i128 %15, 64
  %17 = or i128 %16, %14
  %18 = call i128 @__rmc_cmpxchg_16(ptr %0, i128 %13, i128 %17, i32 5, i32 5)
  %19 = sub i128 %13, %18
  %20 = icmp eq i128 %19, 0
  %21 = zext i1 %20 to i8
  ret i8 %21
}

define void @tied(ptr %0, i32 %1, i8 %2) {
  call void @__rmc_store_4(ptr %0, i32 %1, i32 0)
  %4 = call i32 @__rmc_rmw_4(ptr %0, i32 %1, i32 1, i32 5)
  call void @__rmc_fence(i32 5)
  call void @__rmc_store_4(ptr %0, i32 %4, i32 0)
  ret void
}

define void @kept(ptr %0, ptr %1) {
  %3 = tail call { i32, i32, i32, i32 } asm sideeffect "cpuid", "={ax},={bx},={cx},={dx},{ax},~{dirflag},~{fpsr},~{flags}"(i32 0)
  tail call void asm sideeffect "addl $$1, $0", "=*m,*m,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, ptr elementtype(i32) %0)
  tail call void asm sideeffect "lock; btsl $$1, $0", "=*m,*m,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, ptr elementtype(i32) %0)
  tail call void asm sideeffect "movl ${1:k}, $0", "=*m,r,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, i16 1)
  tail call void asm sideeffect "movl ${1:w}, $0", "=*m,r,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, i32 1)
  %4 = call i32 @__rmc_load_4(ptr %0, i32 1)
  %5 = zext i32 %4 to i64
  %wide = tail call i64 asm sideeffect "lock; cmpxchgl $2, $1", "={ax},=*m,r,0,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, i32 1, i64 2, ptr elementtype(i32) %0)
  %6 = tail call i32 asm sideeffect "movl %fs:0, $0", "=r,~{dirflag},~{fpsr},~{flags}"()
  %7 = tail call i32 asm sideeffect "lock; cmpxchgl $1, $2; sete ${0:b}", "=q,r,*m,{ax},~{dirflag},~{fpsr},~{flags}"(i32 1, ptr elementtype(i32) %0, i32 0)
  tail call void asm sideeffect "lock; cmpxchg16b $0", "=*m,{bx},{cx},*m,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i64) %0, i64 1, i64 2, ptr elementtype(i64) %0)
  tail call void asm sideeffect "cmpxchg16b $0", "=*m,{ax},{dx},{bx},{cx},*m,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i64) %0, i64 1, i64 2, i64 3, i64 4, ptr elementtype(i64) %0)
  call void asm "", "=*m,0,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, i32 1)
  call void asm "", "=*imr,0,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i64) %0, i32 1)
  call void asm "", "=*X,0,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i32) %0, i32 1)
  tail call void asm sideeffect "lock; addl $$1, (%rsp)", "~{memory},~{dirflag},~{fpsr},~{flags}"()
  ret void
}

declare void @__rmc_fence(i32)

declare i32 @__rmc_rmw_4(ptr, i32, i32, i32)

declare i16 @__rmc_rmw_2(ptr, i16, i32, i32)

declare i8 @__rmc_rmw_1(ptr, i8, i32, i32)

declare i64 @__rmc_rmw_8(ptr, i64, i32, i32)

declare i64 @__rmc_cmpxchg_8(ptr, i64, i64, i32, i32)

declare i32 @__rmc_cmpxchg_4(ptr, i32, i32, i32, i32)

declare void @__rmc_store_4(ptr, i32, i32)

declare void @__rmc_store_1(ptr, i8, i32)

declare i8 @__rmc_load_1(ptr, i32)

declare void @__rmc_lifetime_end(ptr, i64)

declare void @__rmc_store_8(ptr, i64, i32)

declare i32 @__rmc_load_4(ptr, i32)

declare i64 @__rmc_load_8(ptr, i32)

declare i128 @__rmc_cmpxchg_16(ptr, i128, i128, i32, i32)

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }

!rmc.instrumented = !{!0}

!0 = !{!"rmc.abi.v1"}
