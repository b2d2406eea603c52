; A naked function is its assembly; calls cannot be added to it.
define void @naked() naked {
  call void asm sideeffect "mfence; ret", "~{memory}"()
  unreachable
}
