; Library functions: free and realloc have a call of their own, thread functions are full fences, others find the thread's
; stores in memory, unless they touch no memory of the program.
declare void @free(ptr)
declare ptr @realloc(ptr, i64)
declare ptr @malloc(i64)
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_join(i64, ptr)
declare i32 @sem_post(ptr)
declare void @exit(i32)
declare i32 @pthread_equal(i64, i64) memory(none)
declare i32 @strcmp(ptr, ptr) memory(argmem: read)
declare i32 @puts(ptr)
declare void @_ZdlPv(ptr)
declare i32 @sees_nothing(ptr) memory(none)
declare ptr @sees_its_own(i64) memory(inaccessiblemem: readwrite)
declare i32 @personality(...)
@m = global i64 0
@function = global ptr @free

define void @memory(i64 %n) {
  %p = call ptr @malloc(i64 %n)
  %q = call ptr @realloc(ptr %p, i64 %n)
  tail call void @free(ptr %q)
  ret void
}

define i32 @threads() {
  %a = call i32 @pthread_mutex_lock(ptr @m)
  %b = call i32 @sem_post(ptr @m)
  %c = musttail call i32 @threads()
  ret i32 %c
}

define i32 @others(ptr %p, ptr %f) {
  %a = call i32 @strcmp(ptr %p, ptr %p)
  %b = call i32 @pthread_equal(i64 1, i64 2)
  %c = call i32 @sees_nothing(ptr %p)
  %d = call ptr @sees_its_own(i64 1)
  %e = call i32 @strcmp(ptr %p, ptr %p) memory(none)
  %g = call i32 %f(ptr %p)
  call void @_ZdlPv(ptr %p)
  %h = musttail call i32 @last(ptr %p, ptr %f)
  ret i32 %h
}

declare i32 @last(ptr, ptr)

define i32 @thrd_of_the_program(ptr %f) {
  %a = call i32 @thrd_of_the_program(ptr null)
  %b = call i32 %f(ptr null)
  call void @exit(i32 1)
  unreachable
}

define i32 @invoked(i1 %c, ptr %p) personality ptr @personality {
entry:
  br i1 %c, label %try, label %join
try:
  %r = invoke i32 @pthread_join(i64 0, ptr null) to label %join unwind label %bad
join:
  %v = phi i32 [ 0, %entry ], [ %r, %try ]
  ret i32 %v
bad:
  %pad = landingpad { ptr, i32 } cleanup
  invoke void @free(ptr %p) to label %good unwind label %worse
good:
  ret i32 1
worse:
  %again = landingpad { ptr, i32 } cleanup
  ret i32 2
}

; Only functions of the ABI are left alone, not all whose names begin like theirs.
define void @__rmc_free_pending(ptr %p) {
  store i32 1, ptr %p
  ret void
}

define void @__rmc_store_1(ptr %p, i8 %v, i32 %order) {
  store i8 %v, ptr %p
  ret void
}
