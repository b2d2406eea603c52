; ModuleID = 'orders.ll'
source_filename = "orders.ll"

@p = global i64 0

define void @loads() {
  %a = call i32 @__rmc_load_4(ptr @p, i32 1)
  %b = call i32 @__rmc_load_4(ptr @p, i32 1)
  %c = call i32 @__rmc_load_4(ptr @p, i32 2)
  %d = call i32 @__rmc_load_4(ptr @p, i32 5)
  %1 = call i32 @__rmc_load_4(ptr @p, i32 2)
  %e = bitcast i32 %1 to float
  %2 = call i64 @__rmc_load_8(ptr @p, i32 2)
  %f = inttoptr i64 %2 to ptr
  %g = call i128 @__rmc_load_16(ptr @p, i32 5)
  ret void
}

define void @stores(float %f, ptr %g, i128 %h) {
  call void @__rmc_store_1(ptr @p, i8 1, i32 1)
  call void @__rmc_store_1(ptr @p, i8 2, i32 1)
  call void @__rmc_store_1(ptr @p, i8 3, i32 3)
  call void @__rmc_store_1(ptr @p, i8 4, i32 5)
  %1 = bitcast float %f to i32
  call void @__rmc_store_4(ptr @p, i32 %1, i32 3)
  %2 = ptrtoint ptr %g to i64
  call void @__rmc_store_8(ptr @p, i64 %2, i32 3)
  call void @__rmc_store_16(ptr @p, i128 %h, i32 5)
  ret void
}

define void @fences() {
  call void @__rmc_fence(i32 2)
  call void @__rmc_fence(i32 3)
  call void @__rmc_fence(i32 4)
  call void @__rmc_fence(i32 5)
  ret void
}

declare i32 @__rmc_load_4(ptr, i32)

declare i64 @__rmc_load_8(ptr, i32)

declare i128 @__rmc_load_16(ptr, i32)

declare void @__rmc_store_1(ptr, i8, i32)

declare void @__rmc_store_4(ptr, i32, i32)

declare void @__rmc_store_8(ptr, i64, i32)

declare void @__rmc_store_16(ptr, i128, i32)

declare void @__rmc_fence(i32)

!rmc.instrumented = !{!0}

!0 = !{!"rmc.abi.v1"}
