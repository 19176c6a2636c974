;; The arithmetic of the Silero VAD network in float32.
;;
;; matvec: y = act(W·x + b), sixteen rows at a time, for `count` vectors x.
;; W is stored in blocks of sixteen rows; inside a block column by column, so that the kernel reads it straight through
;; and needs no horizontal sums. A block serves every vector while it lies in the first-level cache. Columns are even:
;; two are done in a turn.
;; magnitudes: |re + i·im| of 65 bins. cell: one step of the LSTM and its output neuron.
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
          (local.set $x4 (v128.load32_splat offset=4 (local.get $xAt)))
          (local.set $s0 (f32x4.add (local.get $s0) (f32x4.mul (local.get $x4) (v128.load offset=64 (local.get $wAt)))))
          (local.set $s1 (f32x4.add (local.get $s1) (f32x4.mul (local.get $x4) (v128.load offset=80 (local.get $wAt)))))
          (local.set $s2 (f32x4.add (local.get $s2) (f32x4.mul (local.get $x4) (v128.load offset=96 (local.get $wAt)))))
          (local.set $s3 (f32x4.add (local.get $s3) (f32x4.mul (local.get $x4) (v128.load offset=112 (local.get $wAt)))))
          (local.set $wAt (i32.add (local.get $wAt) (i32.const 128)))
          (local.set $xAt (i32.add (local.get $xAt) (i32.const 8)))
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
      (br_if $block (local.get $blocks))))

  ;; Real parts at `in`, imaginary ones 65 floats on.
  (func (export "magnitudes") (param $in i32) (param $out i32)
    (local $end i32) (local $re v128) (local $im v128) (local $r f32) (local $i f32)
    (local.set $end (i32.add (local.get $in) (i32.const 256)))
    (loop $bin
      (local.set $re (v128.load (local.get $in)))
      (local.set $im (v128.load offset=260 (local.get $in)))
      (v128.store (local.get $out) (f32x4.sqrt (f32x4.add
        (f32x4.mul (local.get $re) (local.get $re)) (f32x4.mul (local.get $im) (local.get $im)))))
      (local.set $in (i32.add (local.get $in) (i32.const 16)))
      (local.set $out (i32.add (local.get $out) (i32.const 16)))
      (br_if $bin (i32.lt_u (local.get $in) (local.get $end))))
    (local.set $r (f32.load (local.get $in)))
    (local.set $i (f32.load offset=260 (local.get $in)))
    (f32.store (local.get $out) (f32.sqrt (f32.add
      (f32.mul (local.get $r) (local.get $r)) (f32.mul (local.get $i) (local.get $i))))))

  ;; 1 / (1 + exp(-x)), with exp as 2^n times a polynomial of degree 6 on [-ln2/2, ln2/2]: exact to float32's last bits.
  (func $sigmoid (param $x v128) (result v128)
    (local $n v128) (local $p v128)
    (local.set $x (f32x4.min (v128.const f32x4 87 87 87 87)
      (f32x4.max (v128.const f32x4 -87 -87 -87 -87) (f32x4.neg (local.get $x)))))
    (local.set $n (f32x4.nearest (f32x4.mul (local.get $x)
      (v128.const f32x4 1.44269504 1.44269504 1.44269504 1.44269504))))
    (local.set $x (f32x4.sub (local.get $x) (f32x4.mul (local.get $n)
      (v128.const f32x4 0.693359375 0.693359375 0.693359375 0.693359375))))
    (local.set $x (f32x4.add (local.get $x) (f32x4.mul (local.get $n)
      (v128.const f32x4 2.12194440e-4 2.12194440e-4 2.12194440e-4 2.12194440e-4))))
    (local.set $p (v128.const f32x4 0.00138888889 0.00138888889 0.00138888889 0.00138888889))
    (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $x))
      (v128.const f32x4 0.00833333333 0.00833333333 0.00833333333 0.00833333333)))
    (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $x))
      (v128.const f32x4 0.0416666667 0.0416666667 0.0416666667 0.0416666667)))
    (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $x))
      (v128.const f32x4 0.166666667 0.166666667 0.166666667 0.166666667)))
    (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $x)) (v128.const f32x4 0.5 0.5 0.5 0.5)))
    (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $x)) (v128.const f32x4 1 1 1 1)))
    (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $x)) (v128.const f32x4 1 1 1 1)))
    (local.set $p (f32x4.mul (local.get $p) (i32x4.shl
      (i32x4.add (i32x4.trunc_sat_f32x4_s (local.get $n)) (v128.const i32x4 127 127 127 127)) (i32.const 23))))
    (f32x4.div (v128.const f32x4 1 1 1 1) (f32x4.add (v128.const f32x4 1 1 1 1) (local.get $p))))

  (func $tanh (param $x v128) (result v128) (local $s v128)
    (local.set $s (call $sigmoid (f32x4.add (local.get $x) (local.get $x))))
    (f32x4.sub (f32x4.add (local.get $s) (local.get $s)) (v128.const f32x4 1 1 1 1)))

  ;; 128 units. `gates` holds the input, forget, cell and output gates; `cell` and `hidden` are brought up to date.
  ;; Returns the weighted sum of what is positive in `hidden`.
  (func (export "cell") (param $gates i32) (param $cell i32) (param $hidden i32) (param $weights i32) (result f32)
    (local $end i32) (local $c v128) (local $h v128) (local $sum v128)
    (local.set $end (i32.add (local.get $gates) (i32.const 512)))
    (loop $unit
      (local.set $c (f32x4.add
        (f32x4.mul (call $sigmoid (v128.load offset=512 (local.get $gates))) (v128.load (local.get $cell)))
        (f32x4.mul (call $sigmoid (v128.load (local.get $gates))) (call $tanh (v128.load offset=1024 (local.get $gates))))))
      (local.set $h (f32x4.mul (call $sigmoid (v128.load offset=1536 (local.get $gates))) (call $tanh (local.get $c))))
      (v128.store (local.get $cell) (local.get $c))
      (v128.store (local.get $hidden) (local.get $h))
      (local.set $sum (f32x4.add (local.get $sum) (f32x4.mul (v128.load (local.get $weights))
        (f32x4.max (local.get $h) (v128.const f32x4 0 0 0 0)))))
      (local.set $gates (i32.add (local.get $gates) (i32.const 16)))
      (local.set $cell (i32.add (local.get $cell) (i32.const 16)))
      (local.set $hidden (i32.add (local.get $hidden) (i32.const 16)))
      (local.set $weights (i32.add (local.get $weights) (i32.const 16)))
      (br_if $unit (i32.lt_u (local.get $gates) (local.get $end))))
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $sum)) (f32x4.extract_lane 1 (local.get $sum)))
      (f32.add (f32x4.extract_lane 2 (local.get $sum)) (f32x4.extract_lane 3 (local.get $sum))))))
