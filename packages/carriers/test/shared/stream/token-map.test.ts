import type { CarrierAccess } from '@va/core/adapter';
import { describe, expect, it } from 'vitest';
import { Documents } from '../../../src/plivo/documents.ts';
import { readKey, readMark, readMedia, toBase64 } from '../../../src/shared/stream/base64-frames.ts';
import { TokenMap } from '../../../src/shared/stream/token-map.ts';

describe('a call that waits for its stream', () => {
  it('is found by its token, and taken once', () => {
    let next = 0;
    const pending = new TokenMap<string>((count) => {
      next += 1;
      return new Uint8Array(count).fill(next);
    });
    const [first, second] = [pending.add('one'), pending.add('two')];
    expect([first, second]).toEqual(['01'.repeat(16), '02'.repeat(16)]);
    expect([pending.find(first), pending.take(first), pending.take(first)]).toEqual(['one', 'one', null]);
    pending.remove(second);
    expect([pending.take(second), pending.take(null), pending.find('')]).toEqual([null, null, null]);
  });
});

describe('published documents', () => {
  const access = {} as CarrierAccess<'plivo'>;

  it('are found until they are removed', () => {
    const documents = new Documents();
    const key = documents.publish({ document: '<Response/>', access });
    expect(documents.find(key)?.document).toBe('<Response/>');
    documents.remove(key);
    expect(documents.find(key)).toBeNull();
  });

  it('are at most 256; the oldest one that was not fetched is evicted', () => {
    const documents = new Documents();
    const keys = Array.from({ length: 256 }, (_, n) => documents.publish({ document: String(n), access }));
    documents.remove(keys[0] ?? '');
    documents.publish({ document: '256', access });
    expect(documents.find(keys[1] ?? '')?.document).toBe('1');
    documents.publish({ document: '257', access });
    expect([documents.find(keys[1] ?? ''), documents.find(keys[2] ?? '')?.document]).toEqual([null, '2']);
  });
});

describe('base64 audio', () => {
  it.each([
    [
      { payload: 'AQI=', timestamp: '40' },
      { type: 'audio', audio: Buffer.of(1, 2), timestampMs: 40 },
    ],
    [
      { payload: 'AQI=', timestamp: 40 },
      { type: 'audio', audio: Buffer.of(1, 2), timestampMs: 40 },
    ],
    [{ payload: 'AQI=' }, { type: 'audio', audio: Buffer.of(1, 2), timestampMs: null }],
    [{ payload: 7 }, null],
    [null, null],
  ])('of %j is read', (media, message) => {
    expect(readMedia({ media })).toEqual(message);
  });

  it.each([
    [320_000, true],
    [320_001, false],
  ])('of %i characters is read: %s', (length, isRead) => {
    expect(readMedia({ media: { payload: 'A'.repeat(length) } }) !== null).toBe(isRead);
  });

  it('of a part of a buffer has only this part', () => {
    expect(toBase64(Uint8Array.of(0, 1, 2, 3).subarray(1, 3))).toBe('AQI=');
  });

  it.each([
    [readKey({ dtmf: { digit: '5' } }), { type: 'key', digit: '5' }],
    [readKey({ dtmf: { digit: 5 } }), null],
    [readKey({}), null],
    [readMark('m1'), { type: 'mark', name: 'm1' }],
    [readMark({}), null],
  ])('shares its stream with keys and marks, which are read as %j', (message, expected) => {
    expect(message).toEqual(expected);
  });
});
