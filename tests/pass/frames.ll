; Ends of frames: sizes, allocas outside the entry block, musttail, resume, byval parameters and arguments.
%struct = type { i64, i64, i64 }
@global = global ptr null

declare void @callee(ptr)
declare void @byval(ptr byval(%struct) align 8)
declare i32 @personality(...)

define void @sizes(i32 %n) {
  %four = alloca i32, i32 4
  %many = alloca i32, i32 %n
  call void @callee(ptr %four)
  call void @callee(ptr %many)
  ret void
}

define void @branch(i1 %c, i32 %n) {
  br i1 %c, label %then, label %end
then:
  %vla = alloca i8, i32 %n
  call void @callee(ptr %vla)
  br label %end
end:
  ret void
}

define void @tail(ptr %p) {
  %x = alloca i32
  store ptr %x, ptr @global
  musttail call void @callee(ptr %p)
  ret void
}

define void @throws() personality ptr @personality {
  %x = alloca i32
  invoke void @callee(ptr %x) to label %good unwind label %bad
good:
  ret void
bad:
  %pad = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %pad
}

define i64 @parameter(ptr byval(%struct) align 8 %stay, ptr byval(%struct) align 8 %shared) {
  %value = load i64, ptr %stay
  call void @callee(ptr %shared)
  call void @byval(ptr byval(%struct) align 8 %shared)
  ret i64 %value
}

define i64 @arguments(ptr %p, i1 %c) personality ptr @personality {
entry:
  br i1 %c, label %try, label %join
try:
  invoke void @byval(ptr byval(%struct) align 8 %p) to label %join unwind label %bad
join:
  %v = phi i64 [ 1, %entry ], [ 2, %try ]
  ret i64 %v
bad:
  %pad = landingpad { ptr, i32 } cleanup
  %w = call i64 @parameter(ptr byval(%struct) align 8 %p, ptr byval(%struct) align 8 %p)
  ret i64 %w
}
