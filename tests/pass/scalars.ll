; Loads and stores of every scalar type; volatile is plain.
@p = global i64 0

define void @integers() {
  %a = load i1, ptr @p
  store i1 %a, ptr @p
  %b = load i7, ptr @p
  store i7 %b, ptr @p
  %c = load volatile i8, ptr @p
  store volatile i8 %c, ptr @p
  %d = load i16, ptr @p, align 1
  store i16 %d, ptr @p, align 1
  %e = load i32, ptr @p
  store i32 %e, ptr @p
  %f = load i64, ptr @p
  store i64 %f, ptr @p
  %g = load i128, ptr @p
  store i128 %g, ptr @p
  %h = load i24, ptr @p
  store i24 %h, ptr @p
  %i = load i63, ptr @p
  store i63 %i, ptr @p
  %j = load i256, ptr @p
  store i256 %j, ptr @p
  ret void
}

define void @floats() {
  %a = load half, ptr @p
  store half %a, ptr @p
  %b = load bfloat, ptr @p
  store bfloat %b, ptr @p
  %c = load float, ptr @p
  store float %c, ptr @p
  %d = load double, ptr @p
  store double %d, ptr @p
  %e = load fp128, ptr @p
  store fp128 %e, ptr @p
  %f = load x86_fp80, ptr @p
  store x86_fp80 %f, ptr @p
  ret void
}

define ptr @pointers(ptr %where) {
  %to = load ptr, ptr %where
  store ptr %to, ptr @p
  store ptr null, ptr %where
  ret ptr %to
}
