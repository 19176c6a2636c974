import { describe, expect, it } from 'vitest';
import { redact, redaction } from '../../src/node/redact.ts';
import { sampleRateOf, wavHeader, wavHeaderBytes } from '../../src/node/wav-header.ts';
import { parseWavFormat } from '../../src/recordings/wav-format.ts';

describe('redact', () => {
  it('replaces secrets at any depth, in a copy', () => {
    const fields = { api_key: 'k', request: { headers: { authorization: 'a', accept: 'b' } }, list: [{ token: 't' }] };
    const before = structuredClone(fields);
    expect(redact(fields)).toEqual({
      api_key: redaction,
      request: { headers: { authorization: redaction, accept: 'b' } },
      list: [{ token: redaction }],
    });
    expect(fields).toEqual(before);
  });

  it('replaces a secret that is not a text as a whole', () => {
    expect(redact({ secret: { value: 's' }, password: 7, token: ['t'] })).toEqual({
      secret: redaction,
      password: redaction,
      token: redaction,
    });
  });

  it('returns an object without secrets as it is', () => {
    const fields = { call: 'c', secret: null, token: undefined, list: [{ a: 1 }], tokens: 3 };
    expect(redact(fields)).toBe(fields);
  });

  it('copies only the parts that have secrets', () => {
    const fields = { kept: { a: 1 }, changed: { secret: 's' } };
    expect(redact(fields).kept).toBe(fields.kept);
  });

  it.each([
    ['an error', Object.assign(new Error('failed'), { token: 't' })],
    ['a date', new Date(0)],
    ['bytes', new Uint8Array([1])],
    ['a URL', new URL('https://x.example/')],
  ])('leaves %s to its serializer', (_case, value) => {
    expect(redact({ value }).value).toBe(value);
  });

  it.each([['text'], [7], [null], [undefined], [true]])('returns %j as it is', (value) => {
    expect(redact(value)).toBe(value);
  });

  it('terminates on a circular reference', () => {
    const fields: Record<string, unknown> = { name: 'a' };
    fields.self = fields;
    expect(redact(fields)).toBe(fields);
  });
});

describe('wavHeader', () => {
  it.each([
    [8_000, 2],
    [16_000, 1],
  ])('is read as a recording of %i Hz with %i channels', (sampleRateHz, channels) => {
    const header = wavHeader(400, sampleRateHz, channels);
    expect(parseWavFormat(header, 444)).toEqual({ sampleRateHz, channels, dataStart: wavHeaderBytes, dataBytes: 400 });
    expect(sampleRateOf(header)).toBe(sampleRateHz);
  });

  it('announces the size of the file without the first 8 bytes', () => {
    expect(new DataView(wavHeader(400).buffer).getUint32(4, true)).toBe(436);
  });

  it.each([
    ['a header that is cut off', wavHeader(0).subarray(0, 43)],
    ['other bytes', new Uint8Array(44)],
  ])('has no sample rate in %s', (_case, bytes) => {
    expect(sampleRateOf(bytes)).toBeNull();
  });
});
