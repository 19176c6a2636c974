;; The one kernel of the Silero VAD network: y = act(W·x + b) in float32, sixteen rows at a time, for `count` vectors x.
;; W is stored in blocks of sixteen rows; inside a block column by column, so that the kernel reads it straight through
;; and needs no horizontal sums. A block serves every vector while it lies in the first-level cache.
;; Built by scripts/build-vad-kernel.mjs.
(module
  (memory (export "memory") 16)
  ;; Pointers and strides in bytes; `columns` counts floats.
  (func (export "matvec")
    (param $w i32) (param $b i32) (param $blocks i32) (param $columns i32) (param $relu i32)
    (param $x i32) (param $xStride i32) (param $y i32) (param $yStride i32) (param $count i32)
    (local $xAt i32) (local $xStart i32) (local $xEnd i32) (local $yAt i32) (local $wAt i32) (local $left i32)
    (local $x4 v128) (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128)
    (local.set $columns (i32.shl (local.get $columns) (i32.const 2)))
    (loop $block
      (local.set $xStart (local.get $x))
      (local.set $yAt (local.get $y))
      (local.set $left (local.get $count))
      (loop $vector
        (local.set $s0 (v128.load (local.get $b)))
        (local.set $s1 (v128.load offset=16 (local.get $b)))
        (local.set $s2 (v128.load offset=32 (local.get $b)))
        (local.set $s3 (v128.load offset=48 (local.get $b)))
        (local.set $wAt (local.get $w))
        (local.set $xAt (local.get $xStart))
        (local.set $xEnd (i32.add (local.get $xAt) (local.get $columns)))
        (loop $column
          (local.set $x4 (v128.load32_splat (local.get $xAt)))
          (local.set $s0 (f32x4.add (local.get $s0) (f32x4.mul (local.get $x4) (v128.load (local.get $wAt)))))
          (local.set $s1 (f32x4.add (local.get $s1) (f32x4.mul (local.get $x4) (v128.load offset=16 (local.get $wAt)))))
          (local.set $s2 (f32x4.add (local.get $s2) (f32x4.mul (local.get $x4) (v128.load offset=32 (local.get $wAt)))))
          (local.set $s3 (f32x4.add (local.get $s3) (f32x4.mul (local.get $x4) (v128.load offset=48 (local.get $wAt)))))
          (local.set $wAt (i32.add (local.get $wAt) (i32.const 64)))
          (local.set $xAt (i32.add (local.get $xAt) (i32.const 4)))
          (br_if $column (i32.lt_u (local.get $xAt) (local.get $xEnd))))
        (if (local.get $relu) (then
          (local.set $s0 (f32x4.max (local.get $s0) (v128.const f32x4 0 0 0 0)))
          (local.set $s1 (f32x4.max (local.get $s1) (v128.const f32x4 0 0 0 0)))
          (local.set $s2 (f32x4.max (local.get $s2) (v128.const f32x4 0 0 0 0)))
          (local.set $s3 (f32x4.max (local.get $s3) (v128.const f32x4 0 0 0 0)))))
        (v128.store (local.get $yAt) (local.get $s0))
        (v128.store offset=16 (local.get $yAt) (local.get $s1))
        (v128.store offset=32 (local.get $yAt) (local.get $s2))
        (v128.store offset=48 (local.get $yAt) (local.get $s3))
        (local.set $xStart (i32.add (local.get $xStart) (local.get $xStride)))
        (local.set $yAt (i32.add (local.get $yAt) (local.get $yStride)))
        (local.set $left (i32.sub (local.get $left) (i32.const 1)))
        (br_if $vector (local.get $left)))
      (local.set $w (local.get $wAt))
      (local.set $b (i32.add (local.get $b) (i32.const 64)))
      (local.set $y (i32.add (local.get $y) (i32.const 64)))
      (local.set $blocks (i32.sub (local.get $blocks) (i32.const 1)))
      (br_if $block (local.get $blocks)))))
