; Attributes that instrumentation makes untrue go; intrinsics keep theirs.
@p = global i32 0
declare i64 @strlen(ptr nocapture) memory(argmem: read)
declare i32 @llvm.ctpop.i32(i32)

define i32 @get(ptr nocapture readonly %q) memory(read) nosync nounwind {
  %a = load i32, ptr @p
  %b = call i32 @get(ptr nocapture readonly %q) memory(read)
  %c = call i32 @llvm.ctpop.i32(i32 %b)
  ret i32 %c
}
