; ModuleID = 'debug.ll'
source_filename = "debug.ll"

@p = global [2 x i64] zeroinitializer

declare i32 @pthread_yield()

define i32 @located(<2 x i64> %v) !dbg !5 {
  %rmc.slot = alloca <2 x i64>, align 16
  %x = alloca i32, align 4
  %a = call i32 @__rmc_load_4(ptr @p, i32 0), !dbg !8
  call void @llvm.lifetime.start.p0(i64 16, ptr %rmc.slot), !dbg !9
  store <2 x i64> %v, ptr %rmc.slot, align 16, !dbg !9
  call void @__rmc_store_n(ptr @p, ptr %rmc.slot, i64 16), !dbg !9
  call void @llvm.lifetime.end.p0(i64 16, ptr %rmc.slot), !dbg !9
  %1 = call i32 @__rmc_cmpxchg_4(ptr %x, i32 0, i32 1, i32 5, i32 5), !dbg !10
  %2 = icmp eq i32 %1, 0, !dbg !10
  %3 = insertvalue { i32, i1 } poison, i32 %1, 0, !dbg !10
  %old = insertvalue { i32, i1 } %3, i1 %2, 1, !dbg !10
  call void @__rmc_sync(), !dbg !11
  %r = call i32 @pthread_yield(), !dbg !11
  call void @__rmc_sync(), !dbg !11
  call void @__rmc_fence(i32 5), !dbg !12
  call void @__rmc_fence(i32 5), !dbg !13
  call void @__rmc_lifetime_end(ptr %x, i64 4), !dbg !14
  ret i32 %a, !dbg !14
}

declare i32 @__rmc_load_4(ptr, i32)

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #0

declare void @__rmc_store_n(ptr, ptr, i64)

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #0

declare i32 @__rmc_cmpxchg_4(ptr, i32, i32, i32, i32)

declare void @__rmc_sync()

declare void @__rmc_fence(i32)

declare void @__rmc_lifetime_end(ptr, i64)

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!rmc.instrumented = !{!4}

!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "debug.c", directory: "")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{!"rmc.abi.v1"}
!5 = distinct !DISubprogram(name: "located", scope: null, file: !1, line: 1, type: !6, spFlags: DISPFlagDefinition, unit: !0)
!6 = !DISubroutineType(types: !7)
!7 = !{}
!8 = !DILocation(line: 7, scope: !5)
!9 = !DILocation(line: 8, scope: !5)
!10 = !DILocation(line: 9, scope: !5)
!11 = !DILocation(line: 10, scope: !5)
!12 = !DILocation(line: 11, scope: !5)
!13 = !DILocation(line: 12, scope: !5)
!14 = !DILocation(line: 13, scope: !5)
