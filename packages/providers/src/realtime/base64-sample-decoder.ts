const alphabet = /^[A-Za-z0-9+/]*={0,2}$/;

/** Decodes an item's audio from its Base64 chunks, in whole samples. */
export class Base64SampleDecoder {
  readonly #bytesPerSample: number;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(bytesPerSample: number) {
    this.#bytesPerSample = bytesPerSample;
  }

  /** Returns an empty array for invalid Base64, and while there is no whole sample. */
  decode(base64: string): Uint8Array {
    if (base64.length % 4 === 1 || !alphabet.test(base64)) return new Uint8Array(0);
    const bytes = Buffer.concat([this.#rest, Buffer.from(base64, 'base64')]);
    const whole = bytes.length - (bytes.length % this.#bytesPerSample);
    this.#rest = bytes.subarray(whole);
    return bytes.subarray(0, whole);
  }
}
