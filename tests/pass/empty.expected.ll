; ModuleID = 'empty.ll'
source_filename = "empty.ll"

@p = global i32 0

!rmc.instrumented = !{!0}

!0 = !{!"rmc.abi.v1"}
