import { describe, expect, it } from 'vitest';
import { NarrowDecoder, silentFrames } from '../../../src/codec/frame.ts';
import type { LegEncoding } from '../../../src/codec/leg-encoding.ts';
import { DtmfDetector } from '../../../src/dsp/dtmf-detector.ts';
import type { DtmfDigit } from '../../../src/dsp/dtmf-digit.ts';
import { DtmfTones } from '../../../src/rtp/dtmf/dtmf-tones.ts';

/** Returns the digits that a detector finds in the tones. */
function detected(encoding: LegEncoding, tones: DtmfTones): DtmfDigit[] {
  const digits: DtmfDigit[] = [];
  const detector = new DtmfDetector((digit) => digits.push(digit));
  const narrow = new NarrowDecoder(encoding);
  for (let frame = tones.next(); frame !== null; frame = tones.next()) detector.push(narrow.decode(frame));
  return digits;
}

describe('digits as in-band tones', () => {
  it.each(['pcmu', 'pcma', 'pcm16'] as const)('are detected one by one in %s, with their duration', (encoding) => {
    const tones = new DtmfTones(encoding);
    tones.press('123A456B789C*0#D', 100);
    const digits = detected(encoding, tones);
    expect(digits.map(({ digit }) => digit).join('')).toBe('123A456B789C*0#D');
    for (const { durationMs } of digits) expect(Math.abs(durationMs - 100)).toBeLessThanOrEqual(26);
  });

  it('are detected at the minimum duration, also if a digit is repeated', () => {
    const tones = new DtmfTones('pcmu');
    tones.press('1155', 1);
    expect(detected('pcmu', tones).map(({ digit }) => digit)).toEqual(['1', '1', '5', '5']);
  });

  it('are silent during pauses, and null afterwards', () => {
    const tones = new DtmfTones('pcma');
    tones.press('w!', 100);
    for (let frame = 0; frame < 25; frame++) expect(tones.next()).toBe(silentFrames.pcma);
    expect(tones.next()).toBeNull();
  });
});
