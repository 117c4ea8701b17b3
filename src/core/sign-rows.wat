;; Sums over table look-ups by four sign bits at a time, for 32 rows at once. Rows are kept in groups of 32: for each four
;; dimensions 16 bytes, one a row, with the bits of rows 0 to 15 in the low halves and of rows 16 to 31 in the high ones.
;; Compiled by wat2wasm --enable-relaxed-simd of npm wabt 1.0.39; the bytes stand in sign-rows.ts as base64.
(module
  (memory (export "memory") 1)
  ;; Lays $count rows of $bytes bytes each, one after the other, into the groups at $groups as rows $first and so on
  (func (export "lay") (param $bits i32) (param $count i32) (param $bytes i32) (param $groups i32) (param $first i32)
    (local $at i32) (local $end i32) (local $byte i32) (local $shift i32) (local $keep i32)
    (block $done
      (br_if $done (i32.eqz (local.get $count)))
      (loop $row
        (local.set $at (i32.add (local.get $groups) (i32.add (i32.and (local.get $first) (i32.const 15))
          (i32.mul (i32.shl (i32.shr_u (local.get $first) (i32.const 5)) (i32.const 5)) (local.get $bytes)))))
        (local.set $shift (i32.shr_u (i32.and (local.get $first) (i32.const 16)) (i32.const 2)))
        (local.set $keep (i32.shl (i32.const 15) (i32.sub (i32.const 4) (local.get $shift))))
        (local.set $end (i32.add (local.get $bits) (local.get $bytes)))
        (loop $eight
          (local.set $byte (i32.load8_u (local.get $bits)))
          (i32.store8 (local.get $at) (i32.or (i32.and (i32.load8_u (local.get $at)) (local.get $keep))
            (i32.shl (i32.and (local.get $byte) (i32.const 15)) (local.get $shift))))
          (i32.store8 offset=16 (local.get $at) (i32.or (i32.and (i32.load8_u offset=16 (local.get $at)) (local.get $keep))
            (i32.shl (i32.shr_u (local.get $byte) (i32.const 4)) (local.get $shift))))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (br_if $eight (i32.lt_u (local.tee $bits (i32.add (local.get $bits) (i32.const 1))) (local.get $end))))
        (local.set $first (i32.add (local.get $first) (i32.const 1)))
        (br_if $row (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))))
  ;; Sums of the rows of $count groups to $out: uint16. $table: 16 uint8 for each four dimensions.
  ;; Bytes are added up as uint16, of which each holds two rows; the odd rows are added up by themselves as well and
  ;; taken away in the end.
  ;; @see André, Kermarrec, Le Scouarnec, "Cache locality is not enough: high-performance nearest neighbor search with product quantization fast scan", VLDB 2015
  (func (export "sum") (param $table i32) (param $groups i32) (param $count i32) (param $bytes i32) (param $out i32)
    (local $entry i32) (local $end i32) (local $codes v128) (local $found v128)
    (local $low v128) (local $lowOdd v128) (local $high v128) (local $highOdd v128)
    (block $done
      (br_if $done (i32.eqz (local.get $count)))
      (local.set $end (i32.add (local.get $table) (i32.shl (local.get $bytes) (i32.const 5))))
      (loop $group
        (local.set $low (v128.const i32x4 0 0 0 0))
        (local.set $lowOdd (v128.const i32x4 0 0 0 0))
        (local.set $high (v128.const i32x4 0 0 0 0))
        (local.set $highOdd (v128.const i32x4 0 0 0 0))
        (local.set $entry (local.get $table))
        (loop $four
          (local.set $codes (v128.load (local.get $groups)))
          (local.set $found (i8x16.relaxed_swizzle (v128.load (local.get $entry))
            (v128.and (local.get $codes) (v128.const i32x4 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f))))
          (local.set $low (i16x8.add (local.get $low) (local.get $found)))
          (local.set $lowOdd (i16x8.add (local.get $lowOdd) (i16x8.shr_u (local.get $found) (i32.const 8))))
          (local.set $found (i8x16.relaxed_swizzle (v128.load (local.get $entry))
            (v128.and (i16x8.shr_u (local.get $codes) (i32.const 4)) (v128.const i32x4 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f))))
          (local.set $high (i16x8.add (local.get $high) (local.get $found)))
          (local.set $highOdd (i16x8.add (local.get $highOdd) (i16x8.shr_u (local.get $found) (i32.const 8))))
          (local.set $groups (i32.add (local.get $groups) (i32.const 16)))
          (br_if $four (i32.lt_u (local.tee $entry (i32.add (local.get $entry) (i32.const 16))) (local.get $end))))
        (local.set $low (i16x8.sub (local.get $low) (i16x8.shl (local.get $lowOdd) (i32.const 8))))
        (local.set $high (i16x8.sub (local.get $high) (i16x8.shl (local.get $highOdd) (i32.const 8))))
        (v128.store (local.get $out)
          (i8x16.shuffle 0 1 16 17 2 3 18 19 4 5 20 21 6 7 22 23 (local.get $low) (local.get $lowOdd)))
        (v128.store offset=16 (local.get $out)
          (i8x16.shuffle 8 9 24 25 10 11 26 27 12 13 28 29 14 15 30 31 (local.get $low) (local.get $lowOdd)))
        (v128.store offset=32 (local.get $out)
          (i8x16.shuffle 0 1 16 17 2 3 18 19 4 5 20 21 6 7 22 23 (local.get $high) (local.get $highOdd)))
        (v128.store offset=48 (local.get $out)
          (i8x16.shuffle 8 9 24 25 10 11 26 27 12 13 28 29 14 15 30 31 (local.get $high) (local.get $highOdd)))
        (local.set $out (i32.add (local.get $out) (i32.const 64)))
        (br_if $group (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))))
  ;; Counts each of $count sums on: $histogram is int32 for each value of a uint16
  (func (export "tally") (param $sums i32) (param $count i32) (param $histogram i32)
    (local $at i32)
    (block $done
      (br_if $done (i32.eqz (local.get $count)))
      (loop $one
        (local.set $at (i32.add (local.get $histogram) (i32.shl (i32.load16_u (local.get $sums)) (i32.const 2))))
        (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (i32.const 1)))
        (local.set $sums (i32.add (local.get $sums) (i32.const 2)))
        (br_if $one (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))))
  ;; Numbers of those of $count rows, from $first on, whose sum is at least $least, to $out: int32; how many
  (func (export "pick") (param $sums i32) (param $count i32) (param $least i32) (param $first i32) (param $out i32) (result i32)
    (local $end i32) (local $mask i32) (local $to i32)
    (local.set $to (local.get $out))
    (local.set $end (i32.add (local.get $first) (local.get $count)))
    (block $done
      (br_if $done (i32.eqz (local.get $count)))
      (loop $eight
        (local.set $mask (i16x8.bitmask (i16x8.ge_u (v128.load (local.get $sums)) (i16x8.splat (local.get $least)))))
        (if (i32.lt_u (i32.sub (local.get $end) (local.get $first)) (i32.const 8)) (then
          (local.set $mask (i32.and (local.get $mask)
            (i32.sub (i32.shl (i32.const 1) (i32.sub (local.get $end) (local.get $first))) (i32.const 1))))))
        (block $none
          (br_if $none (i32.eqz (local.get $mask)))
          (loop $one
            (i32.store (local.get $to) (i32.add (local.get $first) (i32.ctz (local.get $mask))))
            (local.set $to (i32.add (local.get $to) (i32.const 4)))
            (br_if $one (local.tee $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1)))))))
        (local.set $sums (i32.add (local.get $sums) (i32.const 16)))
        (br_if $eight (i32.lt_u (local.tee $first (i32.add (local.get $first) (i32.const 8))) (local.get $end)))))
    (i32.shr_u (i32.sub (local.get $to) (local.get $out)) (i32.const 2))))
