; ModuleID = 'locals.ll'
source_filename = "locals.ll"

@constant = constant [2 x i32] [i32 1, i32 2]
@global = global ptr null

declare void @callee(ptr)

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #0

define i32 @stay(i32 %i) {
  %x = alloca i32, align 4
  %array = alloca [4 x i32], align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr %x)
  store i32 1, ptr %x, align 4
  store volatile i32 2, ptr %x, align 4
  %cell = getelementptr [4 x i32], ptr %array, i32 0, i32 %i
  %a = load i32, ptr %cell, align 4
  %c = load i32, ptr getelementptr inbounds ([2 x i32], ptr @constant, i32 0, i32 1), align 4
  %same = icmp eq ptr %cell, %x
  call void @llvm.lifetime.end.p0(i64 4, ptr %x)
  ret i32 %a
}

define void @argument() {
  %x = alloca i32, align 4
  call void @__rmc_store_4(ptr %x, i32 1, i32 0)
  call void @__rmc_sync()
  call void @callee(ptr %x)
  call void @__rmc_sync()
  call void @__rmc_lifetime_end(ptr %x, i64 4)
  ret void
}

define void @stored(i1 %early) {
  %x = alloca [3 x i32], align 4
  %y = alloca i64, align 8
  call void @llvm.lifetime.start.p0(i64 12, ptr %x)
  %inside = getelementptr i32, ptr %x, i32 1
  %1 = ptrtoint ptr %inside to i64
  call void @__rmc_store_8(ptr @global, i64 %1, i32 0)
  call void @__rmc_lifetime_end(ptr %x, i64 12)
  call void @llvm.lifetime.end.p0(i64 12, ptr %x)
  br i1 %early, label %leave, label %stay

leave:                                            ; preds = %0
  call void @__rmc_lifetime_end(ptr %x, i64 12)
  call void @__rmc_lifetime_end(ptr %y, i64 8)
  ret void

stay:                                             ; preds = %0
  %2 = ptrtoint ptr %y to i64
  call void @__rmc_store_8(ptr @global, i64 %2, i32 0)
  call void @__rmc_lifetime_end(ptr %x, i64 12)
  call void @__rmc_lifetime_end(ptr %y, i64 8)
  ret void
}

define ptr @chosen(i1 %which) {
  %rmc.slot = alloca i64, align 8
  %x = alloca i32, align 4
  %y = alloca i32, align 4
  %z = alloca i32, align 4
  %w = alloca i64, align 8
  %one = select i1 %which, ptr %x, ptr %y
  call void @__rmc_store_4(ptr %one, i32 1, i32 0)
  %number = ptrtoint ptr %z to i64
  call void @llvm.lifetime.start.p0(i64 8, ptr %rmc.slot)
  store i64 %number, ptr %rmc.slot, align 4
  call void @__rmc_store_n(ptr %w, ptr %rmc.slot, i64 8)
  call void @llvm.lifetime.end.p0(i64 8, ptr %rmc.slot)
  %old = call i64 @__rmc_rmw_8(ptr %w, i64 1, i32 1, i32 5)
  call void @__rmc_lifetime_end(ptr %x, i64 4)
  call void @__rmc_lifetime_end(ptr %y, i64 4)
  call void @__rmc_lifetime_end(ptr %z, i64 4)
  call void @__rmc_lifetime_end(ptr %w, i64 8)
  ret ptr %one
}

declare void @__rmc_store_4(ptr, i32, i32)

declare void @__rmc_sync()

declare void @__rmc_lifetime_end(ptr, i64)

declare void @__rmc_store_8(ptr, i64, i32)

declare void @__rmc_store_n(ptr, ptr, i64)

declare i64 @__rmc_rmw_8(ptr, i64, i32, i32)

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }

!rmc.instrumented = !{!0}

!0 = !{!"rmc.abi.v1"}
