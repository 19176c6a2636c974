/** From what a far end sends to the G.711 of the call. One for each source, since most remember what came before. */
export interface SpeechDecoder {
  /** The G.711 codes, good until the next call; null when the payload cannot be decoded. */
  decode(payload: Uint8Array): Uint8Array | null;
}

/** From the G.711 of the call to what a far end wants. */
export interface SpeechEncoder {
  /** The payload for a frame of 20 or 10 ms, good until the next call. */
  encode(frame: Uint8Array): Uint8Array;
}
