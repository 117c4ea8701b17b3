/** The part of tesseract-wasm that is used; its own types are not where its package.json says. */
declare module "tesseract-wasm" {
  export interface TextItem {
    /** In dots of the picture, from its upper left corner. */
    readonly rect: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
    /** 0 to 1. */
    readonly confidence: number;
    readonly text: string;
  }
  /** Tesseract; every call works until it is done. */
  export interface OCREngine {
    loadModel(model: Uint8Array): void;
    /** RGBA. */
    loadImage(image: { readonly data: Uint8ClampedArray; readonly width: number; readonly height: number }): void;
    getTextBoxes(unit: "line" | "word"): readonly TextItem[];
    clearImage(): void;
    destroy(): void;
  }
  export function createOCREngine(options: { readonly wasmBinary: Uint8Array }): Promise<OCREngine>;
  /** Whether the build with SIMD can be used. */
  export function supportsFastBuild(): boolean;
}
