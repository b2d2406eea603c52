; ModuleID = 'aggregates.ll'
source_filename = "aggregates.ll"

%pair = type { i32, i64 }

@p = global [4 x i64] zeroinitializer

define %pair @aggregates(%pair %x) {
  %rmc.slot3 = alloca %pair, align 8
  %rmc.slot2 = alloca [3 x i16], align 2
  %rmc.slot1 = alloca <3 x i1>, align 1
  %rmc.slot = alloca <4 x i32>, align 16
  call void @llvm.lifetime.start.p0(i64 16, ptr %rmc.slot)
  call void @__rmc_load_n(ptr @p, ptr %rmc.slot, i64 16)
  %a = load <4 x i32>, ptr %rmc.slot, align 16
  call void @llvm.lifetime.end.p0(i64 16, ptr %rmc.slot)
  call void @llvm.lifetime.start.p0(i64 16, ptr %rmc.slot)
  store <4 x i32> %a, ptr %rmc.slot, align 16
  call void @__rmc_store_n(ptr @p, ptr %rmc.slot, i64 16)
  call void @llvm.lifetime.end.p0(i64 16, ptr %rmc.slot)
  call void @llvm.lifetime.start.p0(i64 1, ptr %rmc.slot1)
  call void @__rmc_load_n(ptr @p, ptr %rmc.slot1, i64 1)
  %b = load <3 x i1>, ptr %rmc.slot1, align 1
  call void @llvm.lifetime.end.p0(i64 1, ptr %rmc.slot1)
  call void @llvm.lifetime.start.p0(i64 1, ptr %rmc.slot1)
  store <3 x i1> %b, ptr %rmc.slot1, align 1
  call void @__rmc_store_n(ptr @p, ptr %rmc.slot1, i64 1)
  call void @llvm.lifetime.end.p0(i64 1, ptr %rmc.slot1)
  call void @llvm.lifetime.start.p0(i64 6, ptr %rmc.slot2)
  call void @__rmc_load_n(ptr @p, ptr %rmc.slot2, i64 6)
  %c = load [3 x i16], ptr %rmc.slot2, align 2
  call void @llvm.lifetime.end.p0(i64 6, ptr %rmc.slot2)
  call void @llvm.lifetime.start.p0(i64 6, ptr %rmc.slot2)
  store [3 x i16] %c, ptr %rmc.slot2, align 2
  call void @__rmc_store_n(ptr @p, ptr %rmc.slot2, i64 6)
  call void @llvm.lifetime.end.p0(i64 6, ptr %rmc.slot2)
  call void @llvm.lifetime.start.p0(i64 12, ptr %rmc.slot3)
  store %pair %x, ptr %rmc.slot3, align 4
  call void @__rmc_store_n(ptr @p, ptr %rmc.slot3, i64 12)
  call void @llvm.lifetime.end.p0(i64 12, ptr %rmc.slot3)
  call void @llvm.lifetime.start.p0(i64 12, ptr %rmc.slot3)
  call void @__rmc_load_n(ptr @p, ptr %rmc.slot3, i64 12)
  %d = load %pair, ptr %rmc.slot3, align 4
  call void @llvm.lifetime.end.p0(i64 12, ptr %rmc.slot3)
  call void @__rmc_store_8(ptr @p, i64 undef, i32 0)
  %empty = load {}, ptr @p, align 1
  store {} %empty, ptr @p, align 1
  ret %pair %d
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #0

declare void @__rmc_load_n(ptr, ptr, i64)

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #0

declare void @__rmc_store_n(ptr, ptr, i64)

declare void @__rmc_store_8(ptr, i64, i32)

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }

!rmc.instrumented = !{!0}

!0 = !{!"rmc.abi.v1"}
