import { isSpace, wordEnd } from '../text/scan.ts';
import type { Pronunciation } from './pronunciation.ts';
import { reader } from './reader.ts';

/** Part of a text as written and as spoken. Both are equal where nothing is replaced. */
export interface SpokenSegment {
  readonly written: string;
  readonly spoken: string;
}

/** Options for converting text for the synthesizer. */
export interface SpokenOptions {
  /** BCP 47 tag; English if undefined. For an unknown language only markup and emoji are removed. */
  readonly language: string | undefined;
  /** True converts figures, signs and marks to words. Pronunciations apply in either case. */
  readonly normalize: boolean;
  readonly pronunciations: readonly Pronunciation[];
}

/**
 * Splits a text into segments with their spoken form. The `written` parts joined give the text; `spokenText` gives the
 * text for the synthesizer.
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

/** Joins the spoken parts for the synthesizer, with single spaces and trimmed. */
export function spokenText(segments: readonly SpokenSegment[]): string {
  return segments
    .map((segment) => segment.spoken)
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * Returns the part of the written text that was heard once the first `spokenLength` characters of
 * `spokenText(segments)` were played. An unchanged segment counts by characters; a replaced one only as a whole, so a
 * number that is interrupted was not heard.
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

/** Returns the index after the current word, or after one character that is not in a word. */
function pastUnchanged(text: string, at: number): number {
  const next = wordEnd(text, at);
  return next > at ? next : at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
}
