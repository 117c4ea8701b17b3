import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { createOCREngine, type OCREngine, supportsFastBuild } from "tesseract-wasm";

/** A picture in shades of grey, row by row from its upper left corner; 0 is black. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly grey: Uint8Array;
}

/** A line that was made out in a picture, in its dots. */
export interface ReadLine {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** 0 to 1. */
  readonly confidence: number;
}

/** Reads English (and what is written in the same letters) from pictures, in this process and without the network. */
export class PictureReader implements Disposable {
  readonly #engine: OCREngine;

  private constructor(engine: OCREngine) {
    this.#engine = engine;
  }

  /** Loads Tesseract and its model: about 12 MB. */
  static async open(): Promise<PictureReader> {
    const { resolve } = createRequire(import.meta.url);
    const build = supportsFastBuild() ? "tesseract-core.wasm" : "tesseract-core-fallback.wasm";
    const data = dirname(resolve("@tesseract.js-data/eng/package.json"));
    const [wasmBinary, model] = await Promise.all([
      readFile(join(dirname(resolve("tesseract-wasm")), build)),
      readFile(join(data, "4.0.0_best_int", "eng.traineddata.gz")).then(promisify(gunzip)),
    ]);
    const engine = await createOCREngine({ wasmBinary });
    engine.loadModel(model);
    return new PictureReader(engine);
  }

  /** Lines in reading order. */
  read({ width, height, grey }: Picture): readonly ReadLine[] {
    const data = new Uint8ClampedArray(width * height * 4);
    new Uint32Array(data.buffer).forEach((_, i, dots) => {
      dots[i] = (grey[i] ?? 0) * 0x010101 + 0xff000000;
    });
    this.#engine.loadImage({ data, width, height });
    try {
      return this.#engine.getTextBoxes("line").map(({ rect, text, confidence }) => ({ ...rect, text: text.trim(), confidence }));
    } finally {
      this.#engine.clearImage();
    }
  }

  [Symbol.dispose](): void {
    this.#engine.destroy();
  }
}
