; ModuleID = 'frames.ll'
source_filename = "frames.ll"

%struct = type { i64, i64, i64 }

@global = global ptr null

declare void @callee(ptr)

declare void @byval(ptr byval(%struct) align 8)

declare i32 @personality(...)

define void @sizes(i32 %n) {
  %four = alloca i32, i32 4, align 4
  %many = alloca i32, i32 %n, align 4
  call void @__rmc_sync()
  call void @callee(ptr %four)
  call void @__rmc_sync()
  call void @__rmc_sync()
  call void @callee(ptr %many)
  call void @__rmc_sync()
  call void @__rmc_lifetime_end(ptr %four, i64 16)
  call void @__rmc_lifetime_end(ptr %many, i64 -1)
  ret void
}

define void @branch(i1 %c, i32 %n) {
  %rmc.place = alloca ptr, align 8
  store ptr null, ptr %rmc.place, align 8
  br i1 %c, label %then, label %end

then:                                             ; preds = %0
  %vla = alloca i8, i32 %n, align 1
  store ptr %vla, ptr %rmc.place, align 8
  call void @__rmc_sync()
  call void @callee(ptr %vla)
  call void @__rmc_sync()
  br label %end

end:                                              ; preds = %then, %0
  %1 = load ptr, ptr %rmc.place, align 8
  call void @__rmc_lifetime_end(ptr %1, i64 -1)
  ret void
}

define void @tail(ptr %p) {
  %x = alloca i32, align 4
  %1 = ptrtoint ptr %x to i64
  call void @__rmc_store_8(ptr @global, i64 %1, i32 0)
  call void @__rmc_sync()
  call void @__rmc_lifetime_end(ptr %x, i64 4)
  musttail call void @callee(ptr %p)
  ret void
}

define void @throws() personality ptr @personality {
  %x = alloca i32, align 4
  call void @__rmc_sync()
  invoke void @callee(ptr %x)
          to label %rmc.returned unwind label %bad

good:                                             ; preds = %rmc.returned
  call void @__rmc_lifetime_end(ptr %x, i64 4)
  ret void

bad:                                              ; preds = %0
  %pad = landingpad { ptr, i32 }
          cleanup
  call void @__rmc_lifetime_end(ptr %x, i64 4)
  resume { ptr, i32 } %pad

rmc.returned:                                     ; preds = %0
  call void @__rmc_sync()
  br label %good
}

define i64 @parameter(ptr byval(%struct) align 8 %stay, ptr byval(%struct) align 8 %shared) {
  %rmc.byval = alloca %struct, align 8
  %value = load i64, ptr %stay, align 4
  call void @__rmc_sync()
  call void @callee(ptr %shared)
  call void @__rmc_sync()
  call void @llvm.lifetime.start.p0(i64 24, ptr %rmc.byval)
  call void @__rmc_memcpy(ptr %rmc.byval, ptr %shared, i64 24, i32 1)
  call void @__rmc_sync()
  call void @byval(ptr byval(%struct) align 8 %rmc.byval)
  call void @__rmc_sync()
  call void @llvm.lifetime.end.p0(i64 24, ptr %rmc.byval)
  call void @__rmc_lifetime_end(ptr %shared, i64 24)
  ret i64 %value
}

define i64 @arguments(ptr %p, i1 %c) personality ptr @personality {
entry:
  %rmc.byval3 = alloca %struct, align 8
  %rmc.byval2 = alloca %struct, align 8
  %rmc.byval = alloca %struct, align 8
  br i1 %c, label %try, label %join

try:                                              ; preds = %entry
  call void @llvm.lifetime.start.p0(i64 24, ptr %rmc.byval)
  call void @__rmc_memcpy(ptr %rmc.byval, ptr %p, i64 24, i32 1)
  call void @__rmc_sync()
  invoke void @byval(ptr byval(%struct) align 8 %rmc.byval)
          to label %rmc.returned1 unwind label %bad

join:                                             ; preds = %rmc.returned, %entry
  %v = phi i64 [ 1, %entry ], [ 2, %rmc.returned ]
  ret i64 %v

bad:                                              ; preds = %try
  %pad = landingpad { ptr, i32 }
          cleanup
  call void @llvm.lifetime.start.p0(i64 24, ptr %rmc.byval2)
  call void @__rmc_memcpy(ptr %rmc.byval2, ptr %p, i64 24, i32 1)
  call void @llvm.lifetime.start.p0(i64 24, ptr %rmc.byval3)
  call void @__rmc_memcpy(ptr %rmc.byval3, ptr %p, i64 24, i32 1)
  %w = call i64 @parameter(ptr byval(%struct) align 8 %rmc.byval2, ptr byval(%struct) align 8 %rmc.byval3)
  call void @llvm.lifetime.end.p0(i64 24, ptr %rmc.byval2)
  call void @llvm.lifetime.end.p0(i64 24, ptr %rmc.byval3)
  ret i64 %w

rmc.returned:                                     ; preds = %rmc.returned1
  call void @llvm.lifetime.end.p0(i64 24, ptr %rmc.byval)
  br label %join

rmc.returned1:                                    ; preds = %try
  call void @__rmc_sync()
  br label %rmc.returned
}

declare void @__rmc_sync()

declare void @__rmc_lifetime_end(ptr, i64)

declare void @__rmc_store_8(ptr, i64, i32)

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #0

declare void @__rmc_memcpy(ptr, ptr, i64, i32)

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #0

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }

!rmc.instrumented = !{!0}

!0 = !{!"rmc.abi.v1"}
