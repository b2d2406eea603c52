; ModuleID = 'naked.ll'
source_filename = "naked.ll"

; Function Attrs: naked
define void @naked() #0 {
  call void asm sideeffect "mfence; ret", "~{memory}"()
  unreachable
}

attributes #0 = { naked }

!rmc.instrumented = !{!0}

!0 = !{!"rmc.abi.v1"}
