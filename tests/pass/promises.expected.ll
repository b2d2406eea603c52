; ModuleID = 'promises.ll'
source_filename = "promises.ll"

@p = global i32 0

declare i64 @strlen(ptr)

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.ctpop.i32(i32) #0

; Function Attrs: nounwind
define i32 @get(ptr %q) #1 {
  %a = call i32 @__rmc_load_4(ptr @p, i32 0)
  %b = call i32 @get(ptr %q)
  %c = call i32 @llvm.ctpop.i32(i32 %b)
  ret i32 %c
}

declare i32 @__rmc_load_4(ptr, i32)

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { nounwind }

!rmc.instrumented = !{!0}

!0 = !{!"rmc.abi.v1"}
