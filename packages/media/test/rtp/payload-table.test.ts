import { describe, expect, it } from 'vitest';
import type { PayloadMapping } from '../../src/rtp/agreement.ts';
import { payloadTable } from '../../src/rtp/payload-table.ts';
import { agreed } from '../support/agreement.ts';

function mapping(payloadType: number, encodingName: string, clockRateHz: number): PayloadMapping {
  return { payloadType, encodingName, clockRateHz };
}

describe('payloadTable', () => {
  it('understands the static payload types without a mapping', () => {
    const table = payloadTable(agreed({ mappings: [] }), []);
    expect([...table.keys()]).toEqual([0, 8, 9, 13]);
    expect(table.get(9)).toEqual({ kind: 'audio', codec: 'g722', clockRateHz: 8_000 });
    expect(table.get(13)).toEqual({ kind: 'noise' });
  });

  it.each([
    ['a dynamic number of a codec', mapping(100, 'pcma', 8_000), { kind: 'audio', codec: 'pcma', clockRateHz: 8_000 }],
    ['Opus', mapping(111, 'opus', 48_000), { kind: 'audio', codec: 'opus', clockRateHz: 48_000 }],
    ['telephone events', mapping(101, 'telephone-event', 16_000), { kind: 'events', clockRateHz: 16_000 }],
    ['comfort noise of any clock rate', mapping(118, 'cn', 16_000), { kind: 'noise' }],
  ])('maps %s', (_, given, kind) => {
    expect(payloadTable(agreed({ mappings: [given] }), []).get(given.payloadType)).toEqual(kind);
  });

  it.each([
    ['a codec at another clock rate', mapping(100, 'opus', 8_000)],
    ['an unknown codec', mapping(100, 'speex', 8_000)],
    ['a codec named like a property of every object', mapping(100, 'constructor', 8_000)],
    ['telephone events with a clock rate of 0', mapping(100, 'telephone-event', 0)],
    ['telephone events without a clock rate', mapping(100, 'telephone-event', Number.NaN)],
  ])('ignores %s', (_, given) => {
    expect(payloadTable(agreed({ mappings: [given] }), []).has(100)).toBe(false);
  });

  it('prefers the numbers of our own offer to those of the answer', () => {
    const answer = agreed({ mappings: [mapping(101, 'pcmu', 8_000), mapping(96, 'telephone-event', 8_000)] });
    const table = payloadTable(answer, ['pcmu', 'opus']);
    expect(table.get(101)).toEqual({ kind: 'events', clockRateHz: 8_000 });
    expect(table.get(102)).toEqual({ kind: 'events', clockRateHz: 48_000 });
    expect(table.get(96)).toEqual({ kind: 'audio', codec: 'opus', clockRateHz: 48_000 });
  });

  it('follows the offer of the far end where it renumbers a static payload type', () => {
    expect(payloadTable(agreed({ mappings: [mapping(0, 'pcma', 8_000)] }), []).get(0)).toMatchObject({ codec: 'pcma' });
  });
});
