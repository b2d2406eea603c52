; ModuleID = 'jumps.ll'
source_filename = "jumps.ll"

define i32 @jumps(i32 %x) {
entry:
  br label %first

next:                                             ; No predecessors!
  br label %second

first:                                            ; preds = %entry
  %only = phi i32 [ %x, %entry ]
  ret i32 %only

second:                                           ; preds = %next
  %y = phi i32 [ 2, %next ]
  ret i32 %y
}

define i32 @falls_to_its_label() {
entry:
  br label %out

out:                                              ; preds = %entry
  %y = phi i32 [ 1, %entry ]
  ret i32 %y
}

define i32 @comments(i32 %x) {
entry:
  br label %second

next:                                             ; No predecessors!
  ret i32 0

first:                                            ; No predecessors!
  ret i32 1

second:                                           ; preds = %entry
  ret i32 2
}

define void @stays_0() {
  callbr void asm sideeffect "js ${0:l}", "!i"()
          to label %next [label %out]

next:                                             ; preds = %0
  ret void

out:                                              ; preds = %0
  ret void
}

define void @stays_1() {
  callbr void asm sideeffect "jmp $0", "!i"()
          to label %next [label %out]

next:                                             ; preds = %0
  ret void

out:                                              ; preds = %0
  ret void
}

define void @stays_2() {
  callbr void asm sideeffect "jmp ${1:l}", "!i"()
          to label %next [label %out]

next:                                             ; preds = %0
  ret void

out:                                              ; preds = %0
  ret void
}

define void @stays_3() {
  callbr void asm sideeffect "jmp *${0:l}", "!i"()
          to label %next [label %out]

next:                                             ; preds = %0
  ret void

out:                                              ; preds = %0
  ret void
}

define void @stays_4() {
  callbr void asm sideeffect "nop", "!i"()
          to label %next [label %out]

next:                                             ; preds = %0
  ret void

out:                                              ; preds = %0
  ret void
}

define void @stays_5() {
  callbr void asm sideeffect "jmp ${0:l}; jmp ${0:l}", "!i"()
          to label %next [label %out]

next:                                             ; preds = %0
  ret void

out:                                              ; preds = %0
  ret void
}

define void @stays_6() {
  callbr void asm sideeffect "1: jmp ${0:l}", "!i"()
          to label %next [label %out]

next:                                             ; preds = %0
  ret void

out:                                              ; preds = %0
  ret void
}

define void @stays_7() {
  callbr void asm sideeffect ".pushsection __jump_table\0A .quad ${0:l}\0A.popsection", "!i"()
          to label %next [label %out]

next:                                             ; preds = %0
  ret void

out:                                              ; preds = %0
  ret void
}

define void @stays_with_an_operand(i32 %x) {
  callbr void asm sideeffect "jmp ${0:l}", "r,!i"(i32 %x)
          to label %next [label %out]

next:                                             ; preds = %0
  ret void

out:                                              ; preds = %0
  ret void
}

define i32 @stays_with_an_output() {
  %y = callbr i32 asm sideeffect "jmp ${1:l}", "=r,!i"()
          to label %next [label %out]

next:                                             ; preds = %0
  ret i32 %y

out:                                              ; preds = %0
  ret i32 0
}

!rmc.instrumented = !{!0}

!0 = !{!"rmc.abi.v1"}
