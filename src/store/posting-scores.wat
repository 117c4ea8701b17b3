;; BM25 of the chunks of one block, a list at a time: scores[place] += weight f / (f + base + slope length).
;; Compiled by wat2wasm of npm wabt 1.0.39; the bytes stand in posting-scores.ts as base64.
(module
  (memory (export "memory") 7)
  ;; Three bytes a posting up to $end: uint16 place, uint8 frequency; lengths: uint16, scores: float32 a place.
  ;; No branch depends on what is read, since the processor would guess it wrong.
  (func (export "addPostings") (param $list i32) (param $end i32) (param $weight f32) (param $base f32) (param $slope f32) (param $lengths i32) (param $scores i32)
    (local $place i32) (local $f f32) (local $at i32)
    (block $done
      (br_if $done (i32.ge_u (local.get $list) (local.get $end)))
      (loop $posting
        (local.set $place (i32.load16_u (local.get $list)))
        (local.set $f (f32.convert_i32_u (i32.load8_u offset=2 (local.get $list))))
        (local.set $at (i32.add (local.get $scores) (i32.shl (local.get $place) (i32.const 2))))
        (f32.store (local.get $at) (f32.add (f32.load (local.get $at))
          (f32.div (f32.mul (local.get $weight) (local.get $f))
            (f32.add (local.get $f) (f32.add (local.get $base) (f32.mul (local.get $slope)
              (f32.convert_i32_u (i32.load16_u (i32.add (local.get $lengths) (i32.shl (local.get $place) (i32.const 1)))))))))))
        (br_if $posting (i32.lt_u (local.tee $list (i32.add (local.get $list) (i32.const 3))) (local.get $end))))))
  ;; The same for a frequency (uint8) a place, a multiple of four of them
  (func (export "addFrequencies") (param $list i32) (param $end i32) (param $weight f32) (param $base f32) (param $slope f32) (param $lengths i32) (param $scores i32)
    (local $f v128) (local $weights v128) (local $bases v128) (local $slopes v128)
    (local.set $weights (f32x4.splat (local.get $weight)))
    (local.set $bases (f32x4.splat (local.get $base)))
    (local.set $slopes (f32x4.splat (local.get $slope)))
    (loop $four
      (local.set $f (f32x4.convert_i32x4_u (i32x4.extend_low_i16x8_u (i16x8.extend_low_i8x16_u (v128.load32_zero (local.get $list))))))
      (v128.store (local.get $scores) (f32x4.add (v128.load (local.get $scores))
        (f32x4.div (f32x4.mul (local.get $weights) (local.get $f))
          (f32x4.add (local.get $f) (f32x4.add (local.get $bases)
            (f32x4.mul (local.get $slopes) (f32x4.convert_i32x4_u (v128.load16x4_u (local.get $lengths)))))))))
      (local.set $lengths (i32.add (local.get $lengths) (i32.const 8)))
      (local.set $scores (i32.add (local.get $scores) (i32.const 16)))
      (br_if $four (i32.lt_u (local.tee $list (i32.add (local.get $list) (i32.const 4))) (local.get $end)))))
  ;; Those of the places [$place, $end), multiples of four, whose score is above $least, to $out: int32; how many
  (func (export "above") (param $scores i32) (param $place i32) (param $end i32) (param $least f32) (param $out i32) (result i32)
    (local $mask i32) (local $to i32)
    (local.set $to (local.get $out))
    (loop $four
      (local.set $mask (i32x4.bitmask (f32x4.gt (v128.load (i32.add (local.get $scores) (i32.shl (local.get $place) (i32.const 2))))
        (f32x4.splat (local.get $least)))))
      (block $none
        (br_if $none (i32.eqz (local.get $mask)))
        (loop $one
          (i32.store (local.get $to) (i32.add (local.get $place) (i32.ctz (local.get $mask))))
          (local.set $to (i32.add (local.get $to) (i32.const 4)))
          (br_if $one (local.tee $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1)))))))
      (br_if $four (i32.lt_u (local.tee $place (i32.add (local.get $place) (i32.const 4))) (local.get $end))))
    (i32.shr_u (i32.sub (local.get $to) (local.get $out)) (i32.const 2))))
