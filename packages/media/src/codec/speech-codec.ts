/** Decodes the far end's payloads to the encoding of the leg. One instance per source, because most keep state. */
export interface SpeechDecoder {
  /** Returns the decoded audio, valid until the next call; null if the payload cannot be decoded. */
  decode(payload: Uint8Array): Uint8Array | null;
}

/** Encodes the leg's frames with the far end's codec. */
export interface SpeechEncoder {
  /** Returns the payload of a frame of 20 or 10 ms, valid until the next call. */
  encode(frame: Uint8Array): Uint8Array;
}
