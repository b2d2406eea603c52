; Static local variable detection: what stays in its thread is not touched, what may leave it dies at every exit.
@constant = constant [2 x i32] [i32 1, i32 2]
@global = global ptr null

declare void @callee(ptr)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)

define i32 @stay(i32 %i) {
  %x = alloca i32
  %array = alloca [4 x i32]
  call void @llvm.lifetime.start.p0(i64 4, ptr %x)
  store i32 1, ptr %x
  store volatile i32 2, ptr %x
  %cell = getelementptr [4 x i32], ptr %array, i32 0, i32 %i
  %a = load i32, ptr %cell
  %c = load i32, ptr getelementptr ([2 x i32], ptr @constant, i32 0, i32 1)
  %same = icmp eq ptr %cell, %x
  call void @llvm.lifetime.end.p0(i64 4, ptr %x)
  ret i32 %a
}

define void @argument() {
  %x = alloca i32
  store i32 1, ptr %x
  call void @callee(ptr %x)
  ret void
}

define void @stored(i1 %early) {
  %x = alloca [3 x i32]
  %y = alloca i64
  call void @llvm.lifetime.start.p0(i64 12, ptr %x)
  %inside = getelementptr i32, ptr %x, i32 1
  store ptr %inside, ptr @global
  call void @llvm.lifetime.end.p0(i64 12, ptr %x)
  br i1 %early, label %leave, label %stay
leave:
  ret void
stay:
  store ptr %y, ptr @global
  ret void
}

define ptr @chosen(i1 %which) {
  %x = alloca i32
  %y = alloca i32
  %z = alloca i32
  %w = alloca i64
  %one = select i1 %which, ptr %x, ptr %y
  store i32 1, ptr %one
  %number = ptrtoint ptr %z to i64
  store i64 %number, ptr %w
  %old = atomicrmw add ptr %w, i64 1 seq_cst
  ret ptr %one
}
