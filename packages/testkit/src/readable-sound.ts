/**
 * Encodes text as sound: each letter is a byte value of its own for a fixed time, so that a test can determine from the
 * sent frames which words the caller heard, to the letter.
 */

/** μ-law silence; no letter is encoded as it. */
const silence = 0xff;
/** Bit that marks the letters of the second voice. */
const secondVoice = 0x80;

/** Voice of `soundOf`. `msPerLetter` is the duration of each letter. */
export interface ReadableVoice {
  readonly msPerLetter: number;
  /** 1 for the second voice. Default: 0, the first one. */
  readonly voice?: 0 | 1;
}

/**
 * Encodes a text as 8 kHz μ-law. Characters outside ASCII become a question mark.
 *
 * @example readSound(soundOf('Hello.', { msPerLetter: 60 }), 60).text; // 'Hello.'
 */
export function soundOf(text: string, { msPerLetter, voice = 0 }: ReadableVoice): Uint8Array {
  const bytesPerLetter = msPerLetter * 8;
  const sound = new Uint8Array(Math.round(text.length * bytesPerLetter));
  for (let at = 0; at < sound.length; at += 1) {
    const code = text.charCodeAt(Math.floor(at / bytesPerLetter));
    const letter = code >= 0x20 && code < 0x7f ? code : 0x3f;
    sound[at] = voice === 1 ? letter | secondVoice : letter;
  }
  return sound;
}

/** Decodes the letters of which at least half is present, and returns the voice of the first one. */
export function readSound(sound: Uint8Array, msPerLetter: number): { text: string; voice: 0 | 1 } {
  const bytesPerLetter = msPerLetter * 8;
  let text = '';
  for (let from = 0; from < sound.length; ) {
    const code = sound[from] ?? silence;
    let to = from;
    while (to < sound.length && sound[to] === code) to += 1;
    text += String.fromCharCode(code & ~secondVoice).repeat(Math.round((to - from) / bytesPerLetter));
    from = to;
  }
  return { text, voice: ((sound[0] ?? 0) & secondVoice) === 0 ? 0 : 1 };
}

/** Returns true for the μ-law code of silence. */
export function isSilent(code: number): boolean {
  return code === silence;
}
