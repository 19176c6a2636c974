import { isSpace, wordEnd } from '../text/scan.ts';
import type { Pronunciation } from './pronunciation.ts';
import { reader } from './reader.ts';

/** A stretch of a text, as it is written and as it is said; both are the same where nothing is changed. */
export interface SpokenSegment {
  readonly written: string;
  readonly spoken: string;
}

export interface SpokenOptions {
  /** BCP 47 tag; without one, English. Of a language that is not known only marks and emoji are taken out. */
  readonly language: string | undefined;
  /** Whether figures, signs and marks are put into words; pronunciations apply either way. */
  readonly normalize: boolean;
  readonly pronunciations: readonly Pronunciation[];
}

/**
 * How a text is to be said, piece by piece. All that is written, in order, is the text again; what is spoken goes to
 * the synthesizer (see `spokenText`).
 */
export function spokenSegments(text: string, options: SpokenOptions): readonly SpokenSegment[] {
  const sayAt = reader(text, options);
  const segments: SpokenSegment[] = [];
  let plainFrom = 0;
  let numberEnd = -1;
  let at = 0;
  while (at < text.length) {
    const said = sayAt(at, numberEnd);
    if (said === null) {
      at = pastUnchanged(text, at);
      continue;
    }
    const plain = text.slice(plainFrom, at);
    if (plain !== '') segments.push({ written: plain, spoken: plain });
    segments.push({ written: text.slice(at, said.end), spoken: said.spoken });
    if (said.isNumber === true) numberEnd = said.end;
    at = said.end;
    plainFrom = at;
  }
  const rest = text.slice(plainFrom);
  return rest === '' ? segments : [...segments, { written: rest, spoken: rest }];
}

/** The text for the synthesizer: what is spoken, with one space for each run of white space, and none at its ends. */
export function spokenText(segments: readonly SpokenSegment[]): string {
  return segments
    .map((segment) => segment.spoken)
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * What of the written text has been said once the first `spokenLength` characters of `spokenText(segments)` have been.
 * An unchanged stretch counts by its characters, a changed one only when all of it has been said: a number in whose
 * middle somebody interrupts was not heard.
 */
export function writtenUpTo(segments: readonly SpokenSegment[], spokenLength: number): string {
  if (spokenLength <= 0) return '';
  if (spokenLength >= spokenText(segments).length) return segments.map((segment) => segment.written).join('');
  let written = '';
  let count = 0;
  let afterSpace = true;
  for (const segment of segments) {
    for (let at = 0; at < segment.spoken.length; at += 1) {
      const isBlank = isSpace(segment.spoken.charAt(at));
      if (!(isBlank && afterSpace)) count += 1;
      afterSpace = isBlank;
      if (count > spokenLength) {
        return segment.written === segment.spoken ? written + segment.written.slice(0, at) : written;
      }
    }
    written += segment.written;
  }
  return written;
}

/** Past what is not replaced at a place: to the end of a word, or over one character. */
function pastUnchanged(text: string, at: number): number {
  const next = wordEnd(text, at);
  return next > at ? next : at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
}
