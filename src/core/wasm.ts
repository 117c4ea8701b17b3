/** The part of the engine's API that is used here; TypeScript keeps it in its browser library. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

/** The memory of an instance; it grows by pages, and its buffer is another one then. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** Bytes of a page of that memory. */
export const pageBytes = 65_536;

/** WebAssembly in base64, compiled once; each call of what is given back makes an instance with a memory of its own. */
export function compiled<Exports>(base64: string): () => Exports {
  const module = new WebAssembly.Module(Buffer.from(base64, "base64"));
  return () => new WebAssembly.Instance(module).exports as Exports;
}
