; ModuleID = 'blocks.ll'
source_filename = "blocks.ll"

@p = global [64 x i8] zeroinitializer
@constant = constant [8 x i8] c"constant"

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #0

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i32(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i32, i1 immarg) #0

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.inline.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64 immarg, i1 immarg) #0

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memmove.p0.p0.i64(ptr nocapture writeonly, ptr nocapture readonly, i64, i1 immarg) #0

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg) #1

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.inline.p0.i64(ptr nocapture writeonly, i8, i64 immarg, i1 immarg) #1

declare ptr @memcpy(ptr, ptr, i64)

declare ptr @memmove(ptr, ptr, i64)

declare ptr @memset(ptr, i32, i64)

declare ptr @__memcpy_chk(ptr, ptr, i64, i64)

declare ptr @__memmove_chk(ptr, ptr, i64, i64)

declare ptr @__memset_chk(ptr, i32, i64, i64)

declare i32 @personality(...)

define void @intrinsics(ptr %q, i32 %n) {
  %x = alloca [8 x i8], align 1
  call void @__rmc_memcpy(ptr @p, ptr %q, i64 8, i32 0)
  %1 = zext i32 %n to i64
  call void @__rmc_memcpy(ptr @p, ptr %q, i64 %1, i32 0)
  call void @__rmc_memcpy(ptr @p, ptr %q, i64 8, i32 0)
  call void @__rmc_memmove(ptr @p, ptr %q, i64 8, i32 0)
  call void @__rmc_memcpy(ptr %x, ptr %q, i64 8, i32 1)
  call void @__rmc_memcpy(ptr %q, ptr %x, i64 8, i32 2)
  call void @__rmc_memcpy(ptr %q, ptr @constant, i64 8, i32 2)
  call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr @constant, i64 8, i1 false)
  call void @__rmc_memset(ptr @p, i8 1, i64 8)
  call void @__rmc_memset(ptr @p, i8 1, i64 8)
  call void @llvm.memset.p0.i64(ptr %x, i8 1, i64 8, i1 false)
  ret void
}

define ptr @functions(ptr %q, i64 %n) personality ptr @personality {
  call void @__rmc_memcpy(ptr @p, ptr %q, i64 %n, i32 0)
  call void @__rmc_memmove(ptr @p, ptr %q, i64 %n, i32 0)
  call void @__rmc_memset(ptr @p, i8 7, i64 %n)
  invoke void @__rmc_memcpy(ptr %q, ptr @p, i64 %n, i32 0)
          to label %good unwind label %bad

good:                                             ; preds = %0
  ret ptr %q

bad:                                              ; preds = %0
  %pad = landingpad { ptr, i32 }
          cleanup
  ret ptr null
}

define ptr @fortified(ptr %q, i64 %n) {
  call void @__rmc_memcpy(ptr @p, ptr %q, i64 %n, i32 0)
  call void @__rmc_memmove(ptr @p, ptr %q, i64 %n, i32 0)
  call void @__rmc_memset(ptr @p, i8 7, i64 %n)
  ret ptr @p
}

declare void @__rmc_memcpy(ptr, ptr, i64, i32)

declare void @__rmc_memmove(ptr, ptr, i64, i32)

declare void @__rmc_memset(ptr, i8, i64)

attributes #0 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #1 = { nocallback nofree nounwind willreturn memory(argmem: write) }

!rmc.instrumented = !{!0}

!0 = !{!"rmc.abi.v1"}
