define void @stream(ptr %p) {
  store i32 1, ptr %p, align 4, !nontemporal !0
  ret void
}
!0 = !{i32 1}
