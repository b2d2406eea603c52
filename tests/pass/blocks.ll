; Memory intrinsics and the functions of the same meaning.
@p = global [64 x i8] zeroinitializer
@constant = constant [8 x i8] c"constant"

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memcpy.p0.p0.i32(ptr, ptr, i32, i1)
declare void @llvm.memcpy.inline.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memset.inline.p0.i64(ptr, i8, i64, i1)
declare ptr @memcpy(ptr, ptr, i64)
declare ptr @memmove(ptr, ptr, i64)
declare ptr @memset(ptr, i32, i64)
declare ptr @__memcpy_chk(ptr, ptr, i64, i64)
declare ptr @__memmove_chk(ptr, ptr, i64, i64)
declare ptr @__memset_chk(ptr, i32, i64, i64)
declare i32 @personality(...)

define void @intrinsics(ptr %q, i32 %n) {
  %x = alloca [8 x i8]
  call void @llvm.memcpy.p0.p0.i64(ptr @p, ptr %q, i64 8, i1 false)
  call void @llvm.memcpy.p0.p0.i32(ptr @p, ptr %q, i32 %n, i1 true)
  call void @llvm.memcpy.inline.p0.p0.i64(ptr @p, ptr %q, i64 8, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr @p, ptr %q, i64 8, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr %q, i64 8, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %x, i64 8, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr @constant, i64 8, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr @constant, i64 8, i1 false)
  call void @llvm.memset.p0.i64(ptr @p, i8 1, i64 8, i1 false)
  call void @llvm.memset.inline.p0.i64(ptr @p, i8 1, i64 8, i1 false)
  call void @llvm.memset.p0.i64(ptr %x, i8 1, i64 8, i1 false)
  ret void
}

define ptr @functions(ptr %q, i64 %n) personality ptr @personality {
  %a = call ptr @memcpy(ptr @p, ptr %q, i64 %n)
  %b = call ptr @memmove(ptr %a, ptr %q, i64 %n)
  %c = tail call ptr @memset(ptr %b, i32 7, i64 %n)
  %d = invoke ptr @memcpy(ptr %q, ptr %c, i64 %n) to label %good unwind label %bad
good:
  ret ptr %d
bad:
  %pad = landingpad { ptr, i32 } cleanup
  ret ptr null
}

define ptr @fortified(ptr %q, i64 %n) {
  %a = call ptr @__memcpy_chk(ptr @p, ptr %q, i64 %n, i64 64)
  %b = call ptr @__memmove_chk(ptr %a, ptr %q, i64 %n, i64 64)
  %c = call ptr @__memset_chk(ptr %b, i32 7, i64 %n, i64 64)
  ret ptr %c
}
