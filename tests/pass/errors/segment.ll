define i32 @segment(ptr addrspace(256) %p) {
  %v = load i32, ptr addrspace(256) %p
  ret i32 %v
}
