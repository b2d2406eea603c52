; New calls carry the debug location of what they replace; slots have none.
@p = global [2 x i64] zeroinitializer
declare i32 @pthread_yield()

define i32 @located(<2 x i64> %v) !dbg !4 {
  %x = alloca i32
  %a = load i32, ptr @p, !dbg !7
  store <2 x i64> %v, ptr @p, !dbg !8
  %old = cmpxchg ptr %x, i32 0, i32 1 seq_cst seq_cst, !dbg !9
  %r = call i32 @pthread_yield(), !dbg !10
  fence seq_cst, !dbg !11
  call void asm sideeffect "mfence", "~{memory}"(), !dbg !12
  ret i32 %a, !dbg !13
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "debug.c", directory: "")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "located", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{}
!7 = !DILocation(line: 7, scope: !4)
!8 = !DILocation(line: 8, scope: !4)
!9 = !DILocation(line: 9, scope: !4)
!10 = !DILocation(line: 10, scope: !4)
!11 = !DILocation(line: 11, scope: !4)
!12 = !DILocation(line: 12, scope: !4)
!13 = !DILocation(line: 13, scope: !4)
