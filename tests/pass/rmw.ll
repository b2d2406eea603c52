; Every operation of atomicrmw, and cmpxchg.
@p = global i64 0

define i32 @operations(i32 %v, float %f, ptr %q) {
  %xchg = atomicrmw xchg ptr @p, i32 %v monotonic
  %add = atomicrmw add ptr @p, i32 %v acquire
  %sub = atomicrmw sub ptr @p, i32 %v release
  %and = atomicrmw and ptr @p, i32 %v acq_rel
  %nand = atomicrmw nand ptr @p, i32 %v seq_cst
  %or = atomicrmw or ptr @p, i32 %v seq_cst
  %xor = atomicrmw volatile xor ptr @p, i32 %v seq_cst
  %max = atomicrmw max ptr @p, i32 %v seq_cst
  %min = atomicrmw min ptr @p, i32 %v seq_cst
  %umax = atomicrmw umax ptr @p, i32 %v seq_cst
  %umin = atomicrmw umin ptr @p, i32 %v seq_cst
  %fadd = atomicrmw fadd ptr @p, float %f seq_cst
  %fsub = atomicrmw fsub ptr @p, float %f seq_cst
  %fmax = atomicrmw fmax ptr @p, float %f seq_cst
  %fmin = atomicrmw fmin ptr @p, float %f seq_cst
  %uinc = atomicrmw uinc_wrap ptr @p, i32 %v seq_cst
  %udec = atomicrmw udec_wrap ptr @p, i32 %v seq_cst
  %ptr = atomicrmw xchg ptr @p, ptr %q seq_cst
  %byte = atomicrmw add ptr @p, i8 1 seq_cst
  %wide = atomicrmw add ptr @p, i128 1 seq_cst
  ret i32 %udec
}

define i1 @exchanges(i32 %old, i32 %new, ptr %q) {
  %strong = cmpxchg ptr @p, i32 %old, i32 %new acq_rel monotonic
  %weak = cmpxchg weak volatile ptr @p, i32 %old, i32 %new seq_cst acquire
  %ptr = cmpxchg ptr @p, ptr null, ptr %q release monotonic
  %wide = cmpxchg ptr @p, i128 0, i128 1 seq_cst seq_cst
  %seen = extractvalue { i32, i1 } %strong, 0
  store i32 %seen, ptr @p
  %ok = extractvalue { i32, i1 } %weak, 1
  ret i1 %ok
}
