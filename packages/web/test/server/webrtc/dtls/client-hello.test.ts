import { describe, expect, it } from 'vitest';
import { MalformedMessage, uint, vector } from '../../../../src/server/webrtc/dtls/byte-reader.ts';
import { parseClientHello } from '../../../../src/server/webrtc/dtls/client-hello.ts';
import { serverHello } from '../../../../src/server/webrtc/dtls/server-messages.ts';

interface Hello {
  readonly version: number;
  readonly cookie: string;
  readonly suites: readonly number[];
  readonly compressions: readonly number[];
  /** Data of the extensions in hexadecimal, by type. */
  readonly extensions: Readonly<Record<number, string | undefined>>;
}

const random = Buffer.alloc(32, 7);
const complete: Hello = {
  version: 0xfefd,
  cookie: 'c0',
  suites: [0xc02b, 0xc02f],
  compressions: [0],
  extensions: { 10: '00020017', 13: '00040403' + '0401', 14: '0004' + '00070001' + '00', 23: '' },
};

function hello(changes: Partial<Hello> = {}): Buffer {
  const { version, cookie, suites, compressions, extensions } = { ...complete, ...changes };
  const list = Object.entries(extensions).map(([type, hex]) =>
    hex === undefined ? Buffer.alloc(0) : Buffer.concat([uint(Number(type), 2), vector(2, Buffer.from(hex, 'hex'))]),
  );
  return Buffer.concat([
    ...[uint(version, 2), random, vector(1), vector(1, Buffer.from(cookie, 'hex'))],
    ...[vector(2, ...suites.map((suite) => uint(suite, 2))), vector(1, Buffer.from(compressions)), vector(2, ...list)],
  ]);
}
const withExtensions = (changes: Hello['extensions']): Buffer =>
  hello({ extensions: { ...complete.extensions, ...changes } });

describe('parseClientHello', () => {
  it('reads what is negotiated', () => {
    expect(parseClientHello(hello())).toEqual({
      random,
      cookie: Buffer.of(0xc0),
      srtpProfiles: [7, 1],
      hasPointFormats: false,
      hasRenegotiationInfo: false,
      missing: null,
    });
  });

  it.each([
    ['DTLS 1.2', hello({ version: 0xfeff })],
    ['DTLS 1.2', withExtensions({ 43: '02fefc' })],
    ['ECDHE-ECDSA-AES128-GCM-SHA256', hello({ suites: [0xc02f] })],
    ['uncompressed records', hello({ compressions: [1] })],
    ['P-256', withExtensions({ 10: '00020018' })],
    ['P-256', withExtensions({ 10: undefined })],
    ['ECDSA with SHA-256', withExtensions({ 13: '00020401' })],
    ['the extended master secret', withExtensions({ 23: undefined })],
  ])('names %s as missing', (missing, body) => {
    expect(parseClientHello(body).missing).toBe(missing);
  });

  it('prefers the list of supported versions to the version field', () => {
    const body = hello({ version: 0xfeff, extensions: { ...complete.extensions, 43: '04fefcfefd' } });
    expect(parseClientHello(body).missing).toBeNull();
  });

  it.each([
    ['by its extension', withExtensions({ 65281: '00' })],
    ['by the signalling suite', hello({ suites: [0xc02b, 0x00ff] })],
  ])('recognizes secure renegotiation %s', (_, body) => {
    expect(parseClientHello(body).hasRenegotiationInfo).toBe(true);
  });

  it('reads a hello without extensions', () => {
    const body = hello({ extensions: {} }).subarray(0, -2);
    expect(parseClientHello(body)).toMatchObject({ srtpProfiles: [], missing: 'P-256' });
  });

  it('throws for a hello that is cut off anywhere', () => {
    const body = hello();
    const withoutExtensions = hello({ extensions: {} }).length - 2;
    for (let length = 0; length < body.length; length++) {
      if (length === withoutExtensions) continue;
      expect(() => parseClientHello(body.subarray(0, length))).toThrow(MalformedMessage);
    }
  });
});

describe('serverHello', () => {
  /** Returns the types of the extensions. */
  function extensionsOf(body: Buffer): number[] {
    const types: number[] = [];
    const list = body.subarray(2 + 32 + 1 + 2 + 1 + 2);
    for (let at = 0; at < list.length; at += 4 + list.readUInt16BE(at + 2)) types.push(list.readUInt16BE(at));
    return types;
  }

  it.each([
    ['always the master secret and SRTP', hello(), [23, 14]],
    ['the point formats if the client has them', withExtensions({ 11: '0100' }), [23, 14, 11]],
    ['the renegotiation information if the client has it', withExtensions({ 65281: '00' }), [23, 14, 0xff01]],
  ])('has %s', (_, body, types) => {
    expect(extensionsOf(serverHello(random, parseClientHello(body), 7))).toEqual(types);
  });

  it('selects the suite, no compression and one SRTP profile', () => {
    const written = serverHello(random, parseClientHello(hello()), 7).toString('hex');
    expect(written.slice(0, 4 + 64)).toBe(`fefd${random.toString('hex')}`);
    expect(written.slice(4 + 64, 4 + 64 + 8)).toBe('00c02b00');
    expect(written).toContain('000e0005' + '00020007' + '00');
  });
});
