define i64 @misaligned(ptr %p) {
  %v = load atomic i64, ptr %p monotonic, align 4
  ret i64 %v
}
