import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomFrom } from "../../src/eval/random.ts";

/**
 * Makes a cross-encoder of the usual shape with random weights: ids, mask and types in, one logit out, namely
 * w · mean over tokens of tanh(word vector + type vector). Small enough to check by hand, real enough for ONNX Runtime.
 */
export interface TinyCrossEncoder {
  readonly folder: string;
  /** The logit for given ids and types. */
  logit(ids: readonly number[], types: readonly number[]): number;
}

const vocabulary = 30_522;
const width = 8;

/** @param tokenizerFrom folder whose tokenizer is copied */
export function makeTinyCrossEncoder(folder: string, tokenizerFrom: string, seed = 7): TinyCrossEncoder {
  const random = randomFrom(seed);
  const weights = (count: number) => Float32Array.from({ length: count }, () => random() * 2 - 1);
  const words = weights(vocabulary * width);
  const types = weights(2 * width);
  const out = weights(width);
  mkdirSync(join(folder, "onnx"), { recursive: true });
  writeFileSync(join(folder, "onnx", "model.onnx"), model(words, types, out));
  for (const file of ["tokenizer.json", "tokenizer_config.json", "config.json"])
    copyFileSync(join(tokenizerFrom, file), join(folder, file));
  return {
    folder,
    logit(ids, typeIds) {
      let total = 0;
      ids.forEach((id, token) => {
        for (let i = 0; i < width; i++) {
          const sum = (words[id * width + i] ?? 0) + (types[(typeIds[token] ?? 0) * width + i] ?? 0);
          total += Math.tanh(sum) * (out[i] ?? 0);
        }
      });
      return total / ids.length;
    },
  };
}

function model(words: Float32Array, types: Float32Array, out: Float32Array): Buffer {
  const graph = [
    node("Gather", ["words", "input_ids"], "a"),
    node("Gather", ["types", "token_type_ids"], "b"),
    node("Add", ["a", "b"], "c"),
    node("Tanh", ["c"], "d"),
    node("ReduceMean", ["d"], "e", [ints("axes", [1]), int("keepdims", 0)]),
    node("MatMul", ["e", "out"], "logits"),
    bytes(2, Buffer.from("tiny")),
    bytes(5, tensor("words", [vocabulary, width], words)),
    bytes(5, tensor("types", [2, width], types)),
    bytes(5, tensor("out", [width, 1], out)),
    ...["input_ids", "attention_mask", "token_type_ids"].map((name) => bytes(11, value(name, 7, 2))),
    bytes(12, value("logits", 1, 2)),
  ];
  return Buffer.concat([varint(1, 8), bytes(8, Buffer.concat([bytes(1, Buffer.alloc(0)), varint(2, 13)])), bytes(7, Buffer.concat(graph))]);
}

// the few messages of onnx.proto that are needed, by field number

function node(type: string, inputs: readonly string[], output: string, attributes: readonly Buffer[] = []): Buffer {
  const fields = [...inputs.map((input) => bytes(1, Buffer.from(input))), bytes(2, Buffer.from(output)), bytes(4, Buffer.from(type))];
  return bytes(1, Buffer.concat([...fields, ...attributes.map((attribute) => bytes(5, attribute))]));
}

function int(name: string, i: number): Buffer {
  return Buffer.concat([bytes(1, Buffer.from(name)), varint(3, i), varint(20, 2)]);
}

function ints(name: string, list: readonly number[]): Buffer {
  return Buffer.concat([bytes(1, Buffer.from(name)), ...list.map((i) => varint(8, i)), varint(20, 7)]);
}

function tensor(name: string, dims: readonly number[], data: Float32Array): Buffer {
  const raw = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return Buffer.concat([...dims.map((dim) => varint(1, dim)), varint(2, 1), bytes(8, Buffer.from(name)), bytes(9, raw)]);
}

function value(name: string, elementType: number, rank: number): Buffer {
  const dims = Array.from({ length: rank }, (_, i) => bytes(1, bytes(2, Buffer.from(`d${i}`))));
  const type = bytes(1, Buffer.concat([varint(1, elementType), bytes(2, Buffer.concat(dims))]));
  return Buffer.concat([bytes(1, Buffer.from(name)), bytes(2, type)]);
}

function varint(field: number, number: number): Buffer {
  return Buffer.concat([raw(field * 8), raw(number)]);
}

function bytes(field: number, content: Buffer): Buffer {
  return Buffer.concat([raw(field * 8 + 2), raw(content.length), content]);
}

function raw(number: number): Buffer {
  const out: number[] = [];
  let rest = number;
  while (rest > 127) {
    out.push((rest & 127) | 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...out, rest]);
}
