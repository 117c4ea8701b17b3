;; Dot products of one int16 query with many int8 rows, and bits that differ, 16 bytes at a time.
;; Compiled by wat2wasm of npm wabt 1.0.39; the bytes stand in rows.ts as base64.
(module
  (memory (export "memory") 1)
  ;; query: int16[stride], rows: int8[count][stride], out: int32[count]; stride is a multiple of 16
  (func (export "scan") (param $query i32) (param $rows i32) (param $count i32) (param $stride i32) (param $out i32)
    (local $k i32) (local $a v128) (local $low v128) (local $high v128)
    (block $done
      (br_if $done (i32.eqz (local.get $count)))
      (loop $row
        (local.set $low (v128.const i32x4 0 0 0 0))
        (local.set $high (v128.const i32x4 0 0 0 0))
        (local.set $k (i32.const 0))
        (loop $component
          (local.set $a (v128.load (i32.add (local.get $rows) (local.get $k))))
          (local.set $low (i32x4.add (local.get $low)
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $a))
              (v128.load (i32.add (local.get $query) (i32.shl (local.get $k) (i32.const 1)))))))
          (local.set $high (i32x4.add (local.get $high)
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $a))
              (v128.load offset=16 (i32.add (local.get $query) (i32.shl (local.get $k) (i32.const 1)))))))
          (br_if $component (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 16))) (local.get $stride))))
        (local.set $low (i32x4.add (local.get $low) (local.get $high)))
        (i32.store (local.get $out)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $low)) (i32x4.extract_lane 1 (local.get $low)))
            (i32.add (i32x4.extract_lane 2 (local.get $low)) (i32x4.extract_lane 3 (local.get $low)))))
        (local.set $rows (i32.add (local.get $rows) (local.get $stride)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br_if $row (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))))
  ;; The same for the rows whose numbers stand at $places: int32[count]
  (func (export "pick") (param $query i32) (param $rows i32) (param $places i32) (param $count i32) (param $stride i32) (param $out i32)
    (local $k i32) (local $at i32) (local $a v128) (local $low v128) (local $high v128)
    (block $done
      (br_if $done (i32.eqz (local.get $count)))
      (loop $row
        (local.set $low (v128.const i32x4 0 0 0 0))
        (local.set $high (v128.const i32x4 0 0 0 0))
        (local.set $k (i32.const 0))
        (local.set $at (i32.add (local.get $rows) (i32.mul (i32.load (local.get $places)) (local.get $stride))))
        (loop $component
          (local.set $a (v128.load (i32.add (local.get $at) (local.get $k))))
          (local.set $low (i32x4.add (local.get $low)
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $a))
              (v128.load (i32.add (local.get $query) (i32.shl (local.get $k) (i32.const 1)))))))
          (local.set $high (i32x4.add (local.get $high)
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $a))
              (v128.load offset=16 (i32.add (local.get $query) (i32.shl (local.get $k) (i32.const 1)))))))
          (br_if $component (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 16))) (local.get $stride))))
        (local.set $low (i32x4.add (local.get $low) (local.get $high)))
        (i32.store (local.get $out)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $low)) (i32x4.extract_lane 1 (local.get $low)))
            (i32.add (i32x4.extract_lane 2 (local.get $low)) (i32x4.extract_lane 3 (local.get $low)))))
        (local.set $places (i32.add (local.get $places) (i32.const 4)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br_if $row (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))))
  ;; Bits that differ between one code and many: query and rows are $stride bytes, a multiple of 16; out: uint16[count],
  ;; and $histogram: int32 for each number of bits is counted on.
  ;; 64 bits at a time: the processor counts bits of a word in one step, and of a vector in many.
  (func (export "differ") (param $query i32) (param $rows i32) (param $count i32) (param $stride i32) (param $out i32) (param $histogram i32)
    (local $k i32) (local $sum i64) (local $bits i32) (local $at i32)
    (block $done
      (br_if $done (i32.eqz (local.get $count)))
      (loop $row
        (local.set $sum (i64.const 0))
        (local.set $k (i32.const 0))
        (loop $part
          (local.set $sum (i64.add (local.get $sum) (i64.add
            (i64.popcnt (i64.xor
              (i64.load (i32.add (local.get $rows) (local.get $k)))
              (i64.load (i32.add (local.get $query) (local.get $k)))))
            (i64.popcnt (i64.xor
              (i64.load offset=8 (i32.add (local.get $rows) (local.get $k)))
              (i64.load offset=8 (i32.add (local.get $query) (local.get $k))))))))
          (br_if $part (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 16))) (local.get $stride))))
        (local.set $bits (i32.wrap_i64 (local.get $sum)))
        (i32.store16 (local.get $out) (local.get $bits))
        (local.set $at (i32.add (local.get $histogram) (i32.shl (local.get $bits) (i32.const 2))))
        (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (i32.const 1)))
        (local.set $rows (i32.add (local.get $rows) (local.get $stride)))
        (local.set $out (i32.add (local.get $out) (i32.const 2)))
        (br_if $row (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))))
  ;; Numbers of those of $count rows, from $first on, that differ in at most $most bits, to $out: int32; how many.
  (func (export "within") (param $differing i32) (param $count i32) (param $most i32) (param $first i32) (param $out i32) (result i32)
    (local $end i32) (local $mask i32) (local $to i32)
    (local.set $to (local.get $out))
    (local.set $end (i32.add (local.get $first) (local.get $count)))
    (block $done
      (br_if $done (i32.eqz (local.get $count)))
      (loop $eight
        (local.set $mask (i16x8.bitmask (i16x8.le_u (v128.load (local.get $differing)) (i16x8.splat (local.get $most)))))
        (if (i32.lt_u (i32.sub (local.get $end) (local.get $first)) (i32.const 8)) (then
          (local.set $mask (i32.and (local.get $mask)
            (i32.sub (i32.shl (i32.const 1) (i32.sub (local.get $end) (local.get $first))) (i32.const 1))))))
        (block $none
          (br_if $none (i32.eqz (local.get $mask)))
          (loop $one
            (i32.store (local.get $to) (i32.add (local.get $first) (i32.ctz (local.get $mask))))
            (local.set $to (i32.add (local.get $to) (i32.const 4)))
            (br_if $one (local.tee $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1)))))))
        (local.set $differing (i32.add (local.get $differing) (i32.const 16)))
        (br_if $eight (i32.lt_u (local.tee $first (i32.add (local.get $first) (i32.const 8))) (local.get $end)))))
    (i32.shr_u (i32.sub (local.get $to) (local.get $out)) (i32.const 2))))
