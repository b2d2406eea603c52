define i256 @wide(ptr %p) {
  %v = load atomic i256, ptr %p seq_cst, align 32
  ret i256 %v
}
