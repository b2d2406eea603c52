; Assembly that may jump: what always goes the same way becomes a branch, and the blocks that it may have gone
; to lose their edges; the rest stays.
define i32 @jumps(i32 %x) {
entry:
  callbr void asm sideeffect "jmp ${1:l}", "r,!i,!i"(i32 %x) to label %next [label %first, label %second]
next:
  br label %second
first:
  %only = phi i32 [ %x, %entry ]
  ret i32 %only
second:
  %y = phi i32 [ 1, %entry ], [ 2, %next ]
  ret i32 %y
}
define i32 @falls_to_its_label() {
entry:
  callbr void asm sideeffect "# nothing", "!i"() to label %out [label %out]
out:
  %y = phi i32 [ 1, %entry ], [ 1, %entry ]
  ret i32 %y
}
define i32 @comments(i32 %x) {
entry:
  callbr void asm sideeffect "\0A\09# one; jmp ${2:l}\0A jmp\09${2:l} ; # two", "r,!i,!i,~{memory}"(i32 %x) to label %next [label %first, label %second]
next:
  ret i32 0
first:
  ret i32 1
second:
  ret i32 2
}
define void @stays_0() {
  callbr void asm sideeffect "js ${0:l}", "!i"() to label %next [label %out]
next:
  ret void
out:
  ret void
}
define void @stays_1() {
  callbr void asm sideeffect "jmp $0", "!i"() to label %next [label %out]
next:
  ret void
out:
  ret void
}
define void @stays_2() {
  callbr void asm sideeffect "jmp ${1:l}", "!i"() to label %next [label %out]
next:
  ret void
out:
  ret void
}
define void @stays_3() {
  callbr void asm sideeffect "jmp *${0:l}", "!i"() to label %next [label %out]
next:
  ret void
out:
  ret void
}
define void @stays_4() {
  callbr void asm sideeffect "nop", "!i"() to label %next [label %out]
next:
  ret void
out:
  ret void
}
define void @stays_5() {
  callbr void asm sideeffect "jmp ${0:l}; jmp ${0:l}", "!i"() to label %next [label %out]
next:
  ret void
out:
  ret void
}
define void @stays_6() {
  callbr void asm sideeffect "1: jmp ${0:l}", "!i"() to label %next [label %out]
next:
  ret void
out:
  ret void
}
define void @stays_7() {
  callbr void asm sideeffect ".pushsection __jump_table\0A .quad ${0:l}\0A.popsection", "!i"() to label %next [label %out]
next:
  ret void
out:
  ret void
}
define void @stays_with_an_operand(i32 %x) {
  callbr void asm sideeffect "jmp ${0:l}", "r,!i"(i32 %x) to label %next [label %out]
next:
  ret void
out:
  ret void
}
define i32 @stays_with_an_output() {
  %y = callbr i32 asm sideeffect "jmp ${1:l}", "=r,!i"() to label %next [label %out]
next:
  ret i32 %y
out:
  ret i32 0
}
