; ModuleID = 'rmw.ll'
source_filename = "rmw.ll"

@p = global i64 0

define i32 @operations(i32 %v, float %f, ptr %q) {
  %xchg = call i32 @__rmc_rmw_4(ptr @p, i32 %v, i32 0, i32 1)
  %add = call i32 @__rmc_rmw_4(ptr @p, i32 %v, i32 1, i32 2)
  %sub = call i32 @__rmc_rmw_4(ptr @p, i32 %v, i32 2, i32 3)
  %and = call i32 @__rmc_rmw_4(ptr @p, i32 %v, i32 3, i32 4)
  %nand = call i32 @__rmc_rmw_4(ptr @p, i32 %v, i32 4, i32 5)
  %or = call i32 @__rmc_rmw_4(ptr @p, i32 %v, i32 5, i32 5)
  %xor = call i32 @__rmc_rmw_4(ptr @p, i32 %v, i32 6, i32 5)
  %max = call i32 @__rmc_rmw_4(ptr @p, i32 %v, i32 7, i32 5)
  %min = call i32 @__rmc_rmw_4(ptr @p, i32 %v, i32 8, i32 5)
  %umax = call i32 @__rmc_rmw_4(ptr @p, i32 %v, i32 9, i32 5)
  %umin = call i32 @__rmc_rmw_4(ptr @p, i32 %v, i32 10, i32 5)
  %1 = bitcast float %f to i32
  %2 = call i32 @__rmc_rmw_4(ptr @p, i32 %1, i32 11, i32 5)
  %fadd = bitcast i32 %2 to float
  %3 = bitcast float %f to i32
  %4 = call i32 @__rmc_rmw_4(ptr @p, i32 %3, i32 12, i32 5)
  %fsub = bitcast i32 %4 to float
  %5 = bitcast float %f to i32
  %6 = call i32 @__rmc_rmw_4(ptr @p, i32 %5, i32 13, i32 5)
  %fmax = bitcast i32 %6 to float
  %7 = bitcast float %f to i32
  %8 = call i32 @__rmc_rmw_4(ptr @p, i32 %7, i32 14, i32 5)
  %fmin = bitcast i32 %8 to float
  %uinc = call i32 @__rmc_rmw_4(ptr @p, i32 %v, i32 15, i32 5)
  %udec = call i32 @__rmc_rmw_4(ptr @p, i32 %v, i32 16, i32 5)
  %9 = ptrtoint ptr %q to i64
  %10 = call i64 @__rmc_rmw_8(ptr @p, i64 %9, i32 0, i32 5)
  %ptr = inttoptr i64 %10 to ptr
  %byte = call i8 @__rmc_rmw_1(ptr @p, i8 1, i32 1, i32 5)
  %wide = call i128 @__rmc_rmw_16(ptr @p, i128 1, i32 1, i32 5)
  ret i32 %udec
}

define i1 @exchanges(i32 %old, i32 %new, ptr %q) {
  %1 = call i32 @__rmc_cmpxchg_4(ptr @p, i32 %old, i32 %new, i32 4, i32 1)
  %2 = icmp eq i32 %1, %old
  %3 = insertvalue { i32, i1 } poison, i32 %1, 0
  %strong = insertvalue { i32, i1 } %3, i1 %2, 1
  %4 = call i32 @__rmc_cmpxchg_4(ptr @p, i32 %old, i32 %new, i32 5, i32 2)
  %5 = icmp eq i32 %4, %old
  %6 = insertvalue { i32, i1 } poison, i32 %4, 0
  %weak = insertvalue { i32, i1 } %6, i1 %5, 1
  %7 = ptrtoint ptr %q to i64
  %8 = call i64 @__rmc_cmpxchg_8(ptr @p, i64 0, i64 %7, i32 3, i32 1)
  %9 = icmp eq i64 %8, 0
  %10 = inttoptr i64 %8 to ptr
  %11 = insertvalue { ptr, i1 } poison, ptr %10, 0
  %ptr = insertvalue { ptr, i1 } %11, i1 %9, 1
  %12 = call i128 @__rmc_cmpxchg_16(ptr @p, i128 0, i128 1, i32 5, i32 5)
  %13 = icmp eq i128 %12, 0
  %14 = insertvalue { i128, i1 } poison, i128 %12, 0
  %wide = insertvalue { i128, i1 } %14, i1 %13, 1
  %seen = extractvalue { i32, i1 } %strong, 0
  call void @__rmc_store_4(ptr @p, i32 %seen, i32 0)
  %ok = extractvalue { i32, i1 } %weak, 1
  ret i1 %ok
}

declare i32 @__rmc_rmw_4(ptr, i32, i32, i32)

declare i64 @__rmc_rmw_8(ptr, i64, i32, i32)

declare i8 @__rmc_rmw_1(ptr, i8, i32, i32)

declare i128 @__rmc_rmw_16(ptr, i128, i32, i32)

declare i32 @__rmc_cmpxchg_4(ptr, i32, i32, i32, i32)

declare i64 @__rmc_cmpxchg_8(ptr, i64, i64, i32, i32)

declare i128 @__rmc_cmpxchg_16(ptr, i128, i128, i32, i32)

declare void @__rmc_store_4(ptr, i32, i32)

!rmc.instrumented = !{!0}

!0 = !{!"rmc.abi.v1"}
