;; The arithmetic of the Silero VAD network: float32, and products of matrices and vectors in 16-bit integers.
;;
;; quantize: integers of up to 13 bits and a sign, and a scale, such that x = scale * integer.
;; matvec: y = act(W*x + b), sixteen rows at a time, for `count` quantized vectors x. W is stored in blocks of sixteen
;; rows; inside a block, one pair of columns after the other, so that the kernel reads it straight through and needs no
;; horizontal sums. A block serves every vector while it lies in the first-level cache, and two vectors share what is
;; loaded of it. Columns are even. The scales of rows are such that no sum overflows 32 bits.
;; spectrum: the magnitudes of a short-time Fourier transform. cell: one step of the LSTM and its output neuron.
;; Built by scripts/build-vad-kernel.mjs.
(module
  (memory (export "memory") 12)
  ;; Reads `count` floats, a multiple of 8, and writes as many integers to `to`, and the scale to `scale`.
  (func (export "quantize") (param $x i32) (param $count i32) (param $to i32) (param $scale i32)
    (local $at i32) (local $end i32) (local $most v128) (local $factor v128) (local $peak f32)
    (local.set $end (i32.add (local.get $x) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $at (local.get $x))
    (loop $peaks
      (local.set $most (f32x4.max (local.get $most) (f32x4.max
        (f32x4.abs (v128.load (local.get $at))) (f32x4.abs (v128.load offset=16 (local.get $at))))))
      (local.set $at (i32.add (local.get $at) (i32.const 32)))
      (br_if $peaks (i32.lt_u (local.get $at) (local.get $end))))
    ;; Not below a small number, because the peak of silence is zero.
    (local.set $peak (f32.max (f32.const 0x1p-100) (f32.max
      (f32.max (f32x4.extract_lane 0 (local.get $most)) (f32x4.extract_lane 1 (local.get $most)))
      (f32.max (f32x4.extract_lane 2 (local.get $most)) (f32x4.extract_lane 3 (local.get $most))))))
    (f32.store (local.get $scale) (f32.div (local.get $peak) (f32.const 8191)))
    (local.set $factor (f32x4.splat (f32.div (f32.const 8191) (local.get $peak))))
    (local.set $at (local.get $x))
    (loop $each
      (v128.store (local.get $to) (i16x8.narrow_i32x4_s
        (i32x4.trunc_sat_f32x4_s (f32x4.nearest
          (f32x4.mul (local.get $factor) (v128.load (local.get $at)))))
        (i32x4.trunc_sat_f32x4_s (f32x4.nearest
          (f32x4.mul (local.get $factor) (v128.load offset=16 (local.get $at)))))))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (local.set $at (i32.add (local.get $at) (i32.const 32)))
      (br_if $each (i32.lt_u (local.get $at) (local.get $end)))))

  ;; Pointers and strides in bytes; `columns` counts integers. `g` has a scale for each row, `s` one for each vector.
  (func (export "matvec")
    (param $w i32) (param $b i32) (param $g i32) (param $blocks i32) (param $columns i32) (param $relu i32)
    (param $x i32) (param $xStride i32) (param $s i32) (param $sStride i32)
    (param $y i32) (param $yStride i32) (param $count i32)
    (local $xAt i32) (local $xStart i32) (local $xEnd i32) (local $sAt i32) (local $yAt i32) (local $wAt i32)
    (local $left i32)
    (local $x4 v128) (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128)
    (local $z4 v128) (local $t0 v128) (local $t1 v128) (local $t2 v128) (local $t3 v128) (local $w4 v128)
    (local $floor v128)
    (local.set $floor (f32x4.splat (select (f32.const 0) (f32.const -inf) (local.get $relu))))
    (local.set $columns (i32.shl (local.get $columns) (i32.const 1)))
    (loop $block
      (local.set $xStart (local.get $x))
      (local.set $sAt (local.get $s))
      (local.set $yAt (local.get $y))
      (local.set $left (local.get $count))
      (if (i32.ge_u (local.get $left) (i32.const 2)) (then (loop $pair
        (local.set $s0 (v128.const i32x4 0 0 0 0))
        (local.set $s1 (v128.const i32x4 0 0 0 0))
        (local.set $s2 (v128.const i32x4 0 0 0 0))
        (local.set $s3 (v128.const i32x4 0 0 0 0))
        (local.set $t0 (v128.const i32x4 0 0 0 0))
        (local.set $t1 (v128.const i32x4 0 0 0 0))
        (local.set $t2 (v128.const i32x4 0 0 0 0))
        (local.set $t3 (v128.const i32x4 0 0 0 0))
        (local.set $wAt (local.get $w))
        (local.set $xAt (local.get $xStart))
        (local.set $xEnd (i32.add (local.get $xAt) (local.get $columns)))
        (loop $column
          (local.set $x4 (v128.load32_splat (local.get $xAt)))
          (local.set $z4 (v128.load32_splat (i32.add (local.get $xAt) (local.get $xStride))))
          (local.set $w4 (v128.load (local.get $wAt)))
          (local.set $s0 (i32x4.add (local.get $s0) (i32x4.dot_i16x8_s (local.get $x4) (local.get $w4))))
          (local.set $t0 (i32x4.add (local.get $t0) (i32x4.dot_i16x8_s (local.get $z4) (local.get $w4))))
          (local.set $w4 (v128.load offset=16 (local.get $wAt)))
          (local.set $s1 (i32x4.add (local.get $s1) (i32x4.dot_i16x8_s (local.get $x4) (local.get $w4))))
          (local.set $t1 (i32x4.add (local.get $t1) (i32x4.dot_i16x8_s (local.get $z4) (local.get $w4))))
          (local.set $w4 (v128.load offset=32 (local.get $wAt)))
          (local.set $s2 (i32x4.add (local.get $s2) (i32x4.dot_i16x8_s (local.get $x4) (local.get $w4))))
          (local.set $t2 (i32x4.add (local.get $t2) (i32x4.dot_i16x8_s (local.get $z4) (local.get $w4))))
          (local.set $w4 (v128.load offset=48 (local.get $wAt)))
          (local.set $s3 (i32x4.add (local.get $s3) (i32x4.dot_i16x8_s (local.get $x4) (local.get $w4))))
          (local.set $t3 (i32x4.add (local.get $t3) (i32x4.dot_i16x8_s (local.get $z4) (local.get $w4))))
          (local.set $wAt (i32.add (local.get $wAt) (i32.const 64)))
          (local.set $xAt (i32.add (local.get $xAt) (i32.const 4)))
          (br_if $column (i32.lt_u (local.get $xAt) (local.get $xEnd))))
        (local.set $x4 (v128.load32_splat (local.get $sAt)))
        (v128.store (local.get $yAt) (f32x4.max (local.get $floor) (f32x4.add
          (v128.load (local.get $b))
          (f32x4.mul (f32x4.convert_i32x4_s (local.get $s0))
            (f32x4.mul (local.get $x4) (v128.load (local.get $g)))))))
        (v128.store offset=16 (local.get $yAt) (f32x4.max (local.get $floor) (f32x4.add
          (v128.load offset=16 (local.get $b))
          (f32x4.mul (f32x4.convert_i32x4_s (local.get $s1))
            (f32x4.mul (local.get $x4) (v128.load offset=16 (local.get $g)))))))
        (v128.store offset=32 (local.get $yAt) (f32x4.max (local.get $floor) (f32x4.add
          (v128.load offset=32 (local.get $b))
          (f32x4.mul (f32x4.convert_i32x4_s (local.get $s2))
            (f32x4.mul (local.get $x4) (v128.load offset=32 (local.get $g)))))))
        (v128.store offset=48 (local.get $yAt) (f32x4.max (local.get $floor) (f32x4.add
          (v128.load offset=48 (local.get $b))
          (f32x4.mul (f32x4.convert_i32x4_s (local.get $s3))
            (f32x4.mul (local.get $x4) (v128.load offset=48 (local.get $g)))))))
        (local.set $sAt (i32.add (local.get $sAt) (local.get $sStride)))
        (local.set $yAt (i32.add (local.get $yAt) (local.get $yStride)))
        (local.set $x4 (v128.load32_splat (local.get $sAt)))
        (v128.store (local.get $yAt) (f32x4.max (local.get $floor) (f32x4.add
          (v128.load (local.get $b))
          (f32x4.mul (f32x4.convert_i32x4_s (local.get $t0))
            (f32x4.mul (local.get $x4) (v128.load (local.get $g)))))))
        (v128.store offset=16 (local.get $yAt) (f32x4.max (local.get $floor) (f32x4.add
          (v128.load offset=16 (local.get $b))
          (f32x4.mul (f32x4.convert_i32x4_s (local.get $t1))
            (f32x4.mul (local.get $x4) (v128.load offset=16 (local.get $g)))))))
        (v128.store offset=32 (local.get $yAt) (f32x4.max (local.get $floor) (f32x4.add
          (v128.load offset=32 (local.get $b))
          (f32x4.mul (f32x4.convert_i32x4_s (local.get $t2))
            (f32x4.mul (local.get $x4) (v128.load offset=32 (local.get $g)))))))
        (v128.store offset=48 (local.get $yAt) (f32x4.max (local.get $floor) (f32x4.add
          (v128.load offset=48 (local.get $b))
          (f32x4.mul (f32x4.convert_i32x4_s (local.get $t3))
            (f32x4.mul (local.get $x4) (v128.load offset=48 (local.get $g)))))))
        (local.set $sAt (i32.add (local.get $sAt) (local.get $sStride)))
        (local.set $yAt (i32.add (local.get $yAt) (local.get $yStride)))
        (local.set $xStart (i32.add (local.get $xStart) (i32.shl (local.get $xStride) (i32.const 1))))
        (local.set $left (i32.sub (local.get $left) (i32.const 2)))
        (br_if $pair (i32.ge_u (local.get $left) (i32.const 2))))))
      (if (local.get $left) (then
        (local.set $s0 (v128.const i32x4 0 0 0 0))
        (local.set $s1 (v128.const i32x4 0 0 0 0))
        (local.set $s2 (v128.const i32x4 0 0 0 0))
        (local.set $s3 (v128.const i32x4 0 0 0 0))
        (local.set $wAt (local.get $w))
        (local.set $xAt (local.get $xStart))
        (local.set $xEnd (i32.add (local.get $xAt) (local.get $columns)))
        (loop $column
          (local.set $x4 (v128.load32_splat (local.get $xAt)))
          (local.set $w4 (v128.load (local.get $wAt)))
          (local.set $s0 (i32x4.add (local.get $s0) (i32x4.dot_i16x8_s (local.get $x4) (local.get $w4))))
          (local.set $w4 (v128.load offset=16 (local.get $wAt)))
          (local.set $s1 (i32x4.add (local.get $s1) (i32x4.dot_i16x8_s (local.get $x4) (local.get $w4))))
          (local.set $w4 (v128.load offset=32 (local.get $wAt)))
          (local.set $s2 (i32x4.add (local.get $s2) (i32x4.dot_i16x8_s (local.get $x4) (local.get $w4))))
          (local.set $w4 (v128.load offset=48 (local.get $wAt)))
          (local.set $s3 (i32x4.add (local.get $s3) (i32x4.dot_i16x8_s (local.get $x4) (local.get $w4))))
          (local.set $wAt (i32.add (local.get $wAt) (i32.const 64)))
          (local.set $xAt (i32.add (local.get $xAt) (i32.const 4)))
          (br_if $column (i32.lt_u (local.get $xAt) (local.get $xEnd))))
        (local.set $x4 (v128.load32_splat (local.get $sAt)))
        (v128.store (local.get $yAt) (f32x4.max (local.get $floor) (f32x4.add
          (v128.load (local.get $b))
          (f32x4.mul (f32x4.convert_i32x4_s (local.get $s0))
            (f32x4.mul (local.get $x4) (v128.load (local.get $g)))))))
        (v128.store offset=16 (local.get $yAt) (f32x4.max (local.get $floor) (f32x4.add
          (v128.load offset=16 (local.get $b))
          (f32x4.mul (f32x4.convert_i32x4_s (local.get $s1))
            (f32x4.mul (local.get $x4) (v128.load offset=16 (local.get $g)))))))
        (v128.store offset=32 (local.get $yAt) (f32x4.max (local.get $floor) (f32x4.add
          (v128.load offset=32 (local.get $b))
          (f32x4.mul (f32x4.convert_i32x4_s (local.get $s2))
            (f32x4.mul (local.get $x4) (v128.load offset=32 (local.get $g)))))))
        (v128.store offset=48 (local.get $yAt) (f32x4.max (local.get $floor) (f32x4.add
          (v128.load offset=48 (local.get $b))
          (f32x4.mul (f32x4.convert_i32x4_s (local.get $s3))
            (f32x4.mul (local.get $x4) (v128.load offset=48 (local.get $g)))))))
        (local.set $sAt (i32.add (local.get $sAt) (local.get $sStride)))
        (local.set $yAt (i32.add (local.get $yAt) (local.get $yStride)))))
      (local.set $w (local.get $wAt))
      (local.set $b (i32.add (local.get $b) (i32.const 64)))
      (local.set $g (i32.add (local.get $g) (i32.const 64)))
      (local.set $y (i32.add (local.get $y) (i32.const 64)))
      (local.set $blocks (i32.sub (local.get $blocks) (i32.const 1)))
      (br_if $block (local.get $blocks))))

  ;; The magnitudes of bins 0 to 64 of four frames of 128 samples, which begin at `x` and 64 samples after one another; those
  ;; of a frame are written behind one another, and frame after frame. All four go through one transform, a lane each: two real
  ;; samples are one complex one, so that 64 of these do, by radix 2, decimated in time.
  ;; tables, in words: 128 of the window, 64 offsets in `z` in bit-reversed order, 32 pairs of cos and -sin of 2*pi*k/64,
  ;; 33 pairs of cos and sin of 2*pi*k/128. z: 64 pairs of real and imaginary vectors.
  (func (export "spectrum") (param $x i32) (param $out i32) (param $tables i32) (param $z i32)
    (local $end i32) (local $w i32) (local $place i32) (local $half i32) (local $step i32) (local $j i32) (local $zEnd i32)
    (local $low i32) (local $high i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $e v128) (local $f v128) (local $g v128) (local $h v128)
    (local $wr v128) (local $wi v128)
    ;; Windowed, with the frames in lanes, to where the first stage needs them.
    (local.set $w (local.get $tables))
    (local.set $place (i32.add (local.get $tables) (i32.const 512)))
    (local.set $end (i32.add (local.get $x) (i32.const 512)))
    (loop $samples
      (local.set $a (v128.load (local.get $x)))
      (local.set $b (v128.load offset=256 (local.get $x)))
      (local.set $c (v128.load offset=512 (local.get $x)))
      (local.set $d (v128.load offset=768 (local.get $x)))
      (local.set $e (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $a) (local.get $b)))
      (local.set $f (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $a) (local.get $b)))
      (local.set $g (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $c) (local.get $d)))
      (local.set $h (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $c) (local.get $d)))
      (local.set $low (i32.add (local.get $z) (i32.load (local.get $place))))
      (local.set $high (i32.add (local.get $z) (i32.load offset=4 (local.get $place))))
      (v128.store (local.get $low) (f32x4.mul (v128.load32_splat (local.get $w))
        (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $e) (local.get $g))))
      (v128.store offset=16 (local.get $low) (f32x4.mul (v128.load32_splat offset=4 (local.get $w))
        (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $e) (local.get $g))))
      (v128.store (local.get $high) (f32x4.mul (v128.load32_splat offset=8 (local.get $w))
        (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $f) (local.get $h))))
      (v128.store offset=16 (local.get $high) (f32x4.mul (v128.load32_splat offset=12 (local.get $w))
        (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $f) (local.get $h))))
      (local.set $x (i32.add (local.get $x) (i32.const 16)))
      (local.set $w (i32.add (local.get $w) (i32.const 16)))
      (local.set $place (i32.add (local.get $place) (i32.const 8)))
      (br_if $samples (i32.lt_u (local.get $x) (local.get $end))))
    ;; Six stages. `half` and `step` are distances in `z` and in the table of its roots of unity, in bytes.
    (local.set $zEnd (i32.add (local.get $z) (i32.const 2048)))
    (local.set $half (i32.const 32))
    (local.set $step (i32.const 256))
    (loop $stage
      (local.set $w (i32.add (local.get $tables) (i32.const 768)))
      (local.set $j (i32.const 0))
      (loop $root
        (local.set $wr (v128.load32_splat (local.get $w)))
        (local.set $wi (v128.load32_splat offset=4 (local.get $w)))
        (local.set $low (i32.add (local.get $z) (local.get $j)))
        (loop $butterfly
          (local.set $high (i32.add (local.get $low) (local.get $half)))
          (local.set $a (v128.load (local.get $low)))
          (local.set $b (v128.load offset=16 (local.get $low)))
          (local.set $c (v128.load (local.get $high)))
          (local.set $d (v128.load offset=16 (local.get $high)))
          (local.set $e (f32x4.sub (f32x4.mul (local.get $c) (local.get $wr)) (f32x4.mul (local.get $d) (local.get $wi))))
          (local.set $f (f32x4.add (f32x4.mul (local.get $c) (local.get $wi)) (f32x4.mul (local.get $d) (local.get $wr))))
          (v128.store (local.get $low) (f32x4.add (local.get $a) (local.get $e)))
          (v128.store offset=16 (local.get $low) (f32x4.add (local.get $b) (local.get $f)))
          (v128.store (local.get $high) (f32x4.sub (local.get $a) (local.get $e)))
          (v128.store offset=16 (local.get $high) (f32x4.sub (local.get $b) (local.get $f)))
          (local.set $low (i32.add (local.get $high) (local.get $half)))
          (br_if $butterfly (i32.lt_u (local.get $low) (local.get $zEnd))))
        (local.set $w (i32.add (local.get $w) (local.get $step)))
        (local.set $j (i32.add (local.get $j) (i32.const 32)))
        (br_if $root (i32.lt_u (local.get $j) (local.get $half))))
      (local.set $half (i32.shl (local.get $half) (i32.const 1)))
      (local.set $step (i32.shr_u (local.get $step) (i32.const 1)))
      (br_if $stage (i32.lt_u (local.get $half) (i32.const 2048))))
    ;; Bins k and 64 - k from those of the 64: E + T and the conjugate of E - T, where E = (Z[k] + Z*[64-k])/2 and
    ;; T = (Z[k] - Z*[64-k])/2i, turned by -2*pi*k/128. Bins 0 and 64 are real.
    (local.set $a (v128.load (local.get $z)))
    (local.set $b (v128.load offset=16 (local.get $z)))
    (call $storeBin (local.get $out) (f32x4.abs (f32x4.add (local.get $a) (local.get $b))))
    (call $storeBin (i32.add (local.get $out) (i32.const 256)) (f32x4.abs (f32x4.sub (local.get $a) (local.get $b))))
    (local.set $w (i32.add (local.get $tables) (i32.const 1032)))
    (local.set $low (i32.add (local.get $z) (i32.const 32)))
    (local.set $high (i32.sub (local.get $zEnd) (i32.const 32)))
    (local.set $j (i32.const 4))
    (loop $bin
      (local.set $wr (v128.load32_splat (local.get $w)))
      (local.set $wi (v128.load32_splat offset=4 (local.get $w)))
      (local.set $a (v128.load (local.get $low)))
      (local.set $b (v128.load offset=16 (local.get $low)))
      (local.set $c (v128.load (local.get $high)))
      (local.set $d (v128.load offset=16 (local.get $high)))
      ;; Twice E, and twice (Z[k] - Z*[64-k])/2.
      (local.set $e (f32x4.add (local.get $a) (local.get $c)))
      (local.set $f (f32x4.sub (local.get $b) (local.get $d)))
      (local.set $g (f32x4.sub (local.get $a) (local.get $c)))
      (local.set $h (f32x4.add (local.get $b) (local.get $d)))
      ;; Twice T.
      (local.set $a (f32x4.sub (f32x4.mul (local.get $h) (local.get $wr)) (f32x4.mul (local.get $g) (local.get $wi))))
      (local.set $b (f32x4.neg
        (f32x4.add (f32x4.mul (local.get $g) (local.get $wr)) (f32x4.mul (local.get $h) (local.get $wi)))))
      (call $storeBin (i32.add (local.get $out) (local.get $j))
        (call $halfLength (f32x4.add (local.get $e) (local.get $a)) (f32x4.add (local.get $f) (local.get $b))))
      (call $storeBin (i32.sub (i32.add (local.get $out) (i32.const 256)) (local.get $j))
        (call $halfLength (f32x4.sub (local.get $e) (local.get $a)) (f32x4.sub (local.get $f) (local.get $b))))
      (local.set $w (i32.add (local.get $w) (i32.const 8)))
      (local.set $low (i32.add (local.get $low) (i32.const 32)))
      (local.set $high (i32.sub (local.get $high) (i32.const 32)))
      (local.set $j (i32.add (local.get $j) (i32.const 4)))
      (br_if $bin (i32.le_u (local.get $j) (i32.const 128)))))

  (func $halfLength (param $re v128) (param $im v128) (result v128)
    (f32x4.mul (v128.const f32x4 0.5 0.5 0.5 0.5) (f32x4.sqrt (f32x4.add
      (f32x4.mul (local.get $re) (local.get $re)) (f32x4.mul (local.get $im) (local.get $im))))))

  ;; One bin of the four frames, each 65 floats behind the one before.
  (func $storeBin (param $at i32) (param $frames v128)
    (v128.store32_lane 0 (local.get $at) (local.get $frames))
    (v128.store32_lane offset=260 1 (local.get $at) (local.get $frames))
    (v128.store32_lane offset=520 2 (local.get $at) (local.get $frames))
    (v128.store32_lane offset=780 3 (local.get $at) (local.get $frames)))

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
