!rmc.instrumented = !{!0}
!0 = !{!"rmc.abi.v1"}
