;; Dot products of one int16 query with many int8 rows, 16 bytes at a time.
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
        (br_if $row (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))))
