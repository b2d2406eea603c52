; Atomic loads and stores of every order and type, fences.
@p = global i64 0

define void @loads() {
  %a = load atomic i32, ptr @p unordered, align 4
  %b = load atomic i32, ptr @p monotonic, align 4
  %c = load atomic i32, ptr @p acquire, align 4
  %d = load atomic volatile i32, ptr @p seq_cst, align 4
  %e = load atomic float, ptr @p acquire, align 4
  %f = load atomic ptr, ptr @p acquire, align 8
  %g = load atomic i128, ptr @p seq_cst, align 16
  ret void
}

define void @stores(float %f, ptr %g, i128 %h) {
  store atomic i8 1, ptr @p unordered, align 1
  store atomic i8 2, ptr @p monotonic, align 1
  store atomic i8 3, ptr @p release, align 1
  store atomic volatile i8 4, ptr @p seq_cst, align 1
  store atomic float %f, ptr @p release, align 4
  store atomic ptr %g, ptr @p release, align 8
  store atomic i128 %h, ptr @p seq_cst, align 16
  ret void
}

define void @fences() {
  fence acquire
  fence release
  fence acq_rel
  fence seq_cst
  fence syncscope("singlethread") seq_cst
  ret void
}
