define <vscale x 4 x i32> @scalable(ptr %p) {
  %v = load <vscale x 4 x i32>, ptr %p
  ret <vscale x 4 x i32> %v
}
