; ModuleID = 'library.ll'
source_filename = "library.ll"

@m = global i64 0
@function = global ptr @free

declare void @free(ptr)

declare ptr @realloc(ptr, i64)

declare ptr @malloc(i64)

declare i32 @pthread_mutex_lock(ptr)

declare i32 @pthread_join(i64, ptr)

declare i32 @sem_post(ptr)

declare void @exit(i32)

declare i32 @pthread_equal(i64, i64)

declare i32 @strcmp(ptr, ptr)

declare i32 @puts(ptr)

declare void @_ZdlPv(ptr)

declare i32 @sees_nothing(ptr)

declare ptr @sees_its_own(i64)

declare i32 @personality(...)

define void @memory(i64 %n) {
  call void @__rmc_sync()
  %p = call ptr @malloc(i64 %n)
  call void @__rmc_sync()
  %q = call ptr @__rmc_realloc(ptr %p, i64 %n)
  call void @__rmc_free(ptr %q)
  ret void
}

define i32 @threads() {
  call void @__rmc_sync()
  %a = call i32 @pthread_mutex_lock(ptr @m)
  call void @__rmc_sync()
  call void @__rmc_sync()
  %b = call i32 @sem_post(ptr @m)
  call void @__rmc_sync()
  %c = musttail call i32 @threads()
  ret i32 %c
}

define i32 @others(ptr %p, ptr %f) {
  call void @__rmc_sync()
  %a = call i32 @strcmp(ptr %p, ptr %p)
  call void @__rmc_sync()
  call void @__rmc_sync()
  %b = call i32 @pthread_equal(i64 1, i64 2)
  call void @__rmc_sync()
  %c = call i32 @sees_nothing(ptr %p)
  call void @__rmc_sync()
  %d = call ptr @sees_its_own(i64 1)
  call void @__rmc_sync()
  %e = call i32 @strcmp(ptr %p, ptr %p)
  %g = call i32 %f(ptr %p)
  call void @__rmc_sync()
  call void @_ZdlPv(ptr %p)
  call void @__rmc_sync()
  call void @__rmc_sync()
  %h = musttail call i32 @last(ptr %p, ptr %f)
  ret i32 %h
}

declare i32 @last(ptr, ptr)

define i32 @thrd_of_the_program(ptr %f) {
  %a = call i32 @thrd_of_the_program(ptr null)
  %b = call i32 %f(ptr null)
  call void @__rmc_sync()
  call void @exit(i32 1)
  call void @__rmc_sync()
  unreachable
}

define i32 @invoked(i1 %c, ptr %p) personality ptr @personality {
entry:
  br i1 %c, label %try, label %join

try:                                              ; preds = %entry
  call void @__rmc_sync()
  %r = invoke i32 @pthread_join(i64 0, ptr null)
          to label %rmc.returned unwind label %bad

join:                                             ; preds = %rmc.returned, %entry
  %v = phi i32 [ 0, %entry ], [ %r, %rmc.returned ]
  ret i32 %v

bad:                                              ; preds = %try
  %pad = landingpad { ptr, i32 }
          cleanup
  invoke void @__rmc_free(ptr %p)
          to label %good unwind label %worse

good:                                             ; preds = %bad
  ret i32 1

worse:                                            ; preds = %bad
  %again = landingpad { ptr, i32 }
          cleanup
  ret i32 2

rmc.returned:                                     ; preds = %try
  call void @__rmc_sync()
  br label %join
}

define void @__rmc_free_pending(ptr %p) {
  call void @__rmc_store_4(ptr %p, i32 1, i32 0)
  ret void
}

define void @__rmc_store_1(ptr %p, i8 %v, i32 %order) {
  store i8 %v, ptr %p, align 1
  ret void
}

declare void @__rmc_sync()

declare ptr @__rmc_realloc(ptr, i64)

declare void @__rmc_free(ptr)

declare void @__rmc_store_4(ptr, i32, i32)

!rmc.instrumented = !{!0}

!0 = !{!"rmc.abi.v1"}
