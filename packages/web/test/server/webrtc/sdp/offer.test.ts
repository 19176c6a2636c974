import { describe, expect, it } from 'vitest';
import { agree } from '../../../../src/server/webrtc/sdp/agreement.ts';
import { writeAnswer } from '../../../../src/server/webrtc/sdp/answer.ts';
import { type Offer, OfferError, parseOffer } from '../../../../src/server/webrtc/sdp/offer.ts';

const fingerprint = `a=fingerprint:sha-256 ${'AB:'.repeat(31)}AB`;
const audio = [
  ...['m=audio 9 UDP/TLS/RTP/SAVPF 111 0', 'c=IN IP4 0.0.0.0', 'a=mid:0', 'a=sendrecv', 'a=rtcp-mux'],
  ...['a=setup:actpass', 'a=ice-ufrag:abcd', 'a=ice-pwd:0123456789abcdef01234567', fingerprint],
  ...['a=rtpmap:111 opus/48000/2', 'a=rtpmap:0 PCMU/8000'],
];
const session = ['v=0', 'o=- 1 2 IN IP4 127.0.0.1', 's=-', 't=0 0'];

/** Joins lines to an offer. */
const sdp = (...lines: readonly (string | readonly string[])[]): string => `${lines.flat().join('\r\n')}\r\n`;
const without = (...starts: readonly string[]): string[] =>
  audio.filter((line) => !starts.some((start) => line.startsWith(start)));
const refusal = (text: string): unknown => {
  try {
    parseOffer(text);
  } catch (thrown) {
    return thrown instanceof OfferError ? thrown.kind : thrown;
  }
  return 'accepted';
};

describe('parseOffer', () => {
  it('reads what the answer needs', () => {
    expect(parseOffer(sdp(session, 'a=group:BUNDLE 0', audio))).toEqual({
      lines: [{ type: 'audio', protocol: 'UDP/TLS/RTP/SAVPF', payloads: '111 0', mid: '0' }],
      audioIndex: 0,
      mappings: [
        { payloadType: 111, encodingName: 'opus', clockRateHz: 48_000 },
        { payloadType: 0, encodingName: 'pcmu', clockRateHz: 8_000 },
      ],
      ufrag: 'abcd',
      fingerprints: [{ algorithm: 'sha-256', value: `${'AB:'.repeat(31)}AB` }],
      isBundled: true,
      maxPacketMs: null,
    });
  });

  it.each([
    ['the setup', ['a=setup:active'], ['a=setup']],
    ['the user name', ['a=ice-ufrag:efgh'], ['a=ice-ufrag']],
    ['the fingerprint', [fingerprint], ['a=fingerprint']],
    ['the direction', ['a=sendrecv'], ['a=sendrecv']],
    ['no direction, which is both ways by default', [], ['a=sendrecv']],
  ])('takes %s of the session', (_name, more, starts) => {
    expect(refusal(sdp(session, more, without(...starts)))).toBe('accepted');
  });

  it.each([
    ['the session goes one way', sdp(session, 'a=recvonly', without('a=sendrecv')), 'unacceptable'],
    ['the line goes no way', sdp(session, without('a=sendrecv'), 'a=inactive'), 'unacceptable'],
    ['the client has to be the DTLS server', sdp(session, without('a=setup'), 'a=setup:passive'), 'unacceptable'],
    ['nothing says who begins DTLS', sdp(session, without('a=setup')), 'unacceptable'],
    ['the user name is too short', sdp(session, without('a=ice-ufrag'), 'a=ice-ufrag:abc'), 'unacceptable'],
    ['the user name has another character', sdp(session, without('a=ice-ufrag'), 'a=ice-ufrag:ab-d'), 'unacceptable'],
    ['the audio is not encrypted', sdp(session, audio).replace('UDP/TLS/', ''), 'unacceptable'],
    ['the audio is rejected', sdp(session, audio).replace('audio 9', 'audio 0'), 'unacceptable'],
    ['there is video only', sdp(session, audio).replace('m=audio', 'm=video'), 'unacceptable'],
    ['the fingerprint is weak', sdp(session, audio).replace('sha-256', 'md5'), 'unacceptable'],
    ['there are 17 lines', sdp(session, ...Array.from({ length: 17 }, () => audio)), 'malformed'],
    ['a line cannot be repeated', sdp(session, audio).replace('a=mid:0', 'a=mid:<0>'), 'malformed'],
    ['there is no description', 'hello', 'malformed'],
  ])('is refused when %s', (_name, text, kind) => {
    expect(refusal(text)).toBe(kind);
  });

  it('accepts 16 lines, and uses the first audio that is encrypted and not rejected', () => {
    const video = ['m=video 9 UDP/TLS/RTP/SAVPF 96', 'a=mid:v', 'a=rtpmap:96 VP8/90000'];
    const rejected = ['m=audio 0 UDP/TLS/RTP/SAVPF 0', 'a=mid:r'];
    const plain = ['m=audio 9 RTP/AVP 0', 'a=mid:p'];
    expect(parseOffer(sdp(session, video, rejected, plain, audio)).audioIndex).toBe(3);
    expect(refusal(sdp(session, audio, ...Array.from({ length: 15 }, () => video)))).toBe('accepted');
  });

  it('takes the fingerprints of the line before those of the session, in capitals, at most eight', () => {
    const own = Array.from({ length: 10 }, (_, n) => `a=fingerprint:SHA-512 0${n}:ab`);
    const { fingerprints } = parseOffer(sdp(session, fingerprint, without('a=fingerprint'), own));
    expect(fingerprints).toHaveLength(8);
    expect(fingerprints[0]).toEqual({ algorithm: 'sha-512', value: '00:AB' });
  });

  it('knows payload types without a mapping by their number', () => {
    const text = sdp(session, without('m=', 'a=rtpmap')).replace(
      't=0 0',
      't=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 0 8 96 300',
    );
    expect(parseOffer(text).mappings).toEqual([
      { payloadType: 0, encodingName: 'pcmu', clockRateHz: 8_000 },
      { payloadType: 8, encodingName: 'pcma', clockRateHz: 8_000 },
    ]);
  });

  it.each([
    ['a=maxptime:10', 10],
    ['a=maxptime:60', 60],
    ['a=x', null],
  ])('with %s has the longest packet of %j ms', (line, maxPacketMs) => {
    expect(parseOffer(sdp(session, audio, line)).maxPacketMs).toBe(maxPacketMs);
  });

  it('is not bundled by the group of other lines', () => {
    expect(parseOffer(sdp(session, 'a=group:BUNDLE 1 2', audio)).isBundled).toBe(false);
  });
});

describe('agree', () => {
  const remote = { address: 'ice', port: 0 };
  const offered = (changes: Partial<Offer>): Offer => ({ ...parseOffer(sdp(session, audio)), ...changes });
  const mapping = (payloadType: number, encodingName: string, clockRateHz: number) => ({
    ...{ payloadType, encodingName, clockRateHz },
  });

  it('takes the codec that the client prefers', () => {
    expect(agree(offered({}), ['pcmu', 'opus'], remote)).toMatchObject({ payloadType: 111, packetMs: 20 });
    expect(agree(offered({}), ['pcmu'], remote)).toMatchObject({ payloadType: 0 });
  });

  it('ignores a codec of another clock rate', () => {
    const mappings = [mapping(96, 'opus', 8_000), mapping(97, 'opus', 48_000)];
    expect(agree(offered({ mappings }), ['opus'], remote).payloadType).toBe(97);
    expect(() => agree(offered({ mappings: mappings.slice(0, 1) }), ['opus'], remote)).toThrow(OfferError);
  });

  it.each([
    [
      'of the clock rate of the codec',
      [mapping(101, 'telephone-event', 8_000), mapping(110, 'telephone-event', 48_000)],
      110,
      48_000,
    ],
    ['of another clock rate, if there is no other', [mapping(101, 'telephone-event', 8_000)], 101, 8_000],
    ['none', [], null, 48_000],
  ])('takes DTMF events %s', (_name, events, payloadType, clockRateHz) => {
    const mappings = [mapping(111, 'opus', 48_000), ...events];
    expect(agree(offered({ mappings }), ['opus'], remote)).toMatchObject({
      ...{ telephoneEventPayloadType: payloadType, telephoneEventClockRateHz: clockRateHz },
    });
  });

  it.each([
    [10, 10],
    [19, 10],
    [20, 20],
    [60, 20],
    [null, 20],
  ])('with the longest packet of %j ms sends packets of %i ms', (maxPacketMs, packetMs) => {
    expect(agree(offered({ maxPacketMs }), ['pcmu'], remote).packetMs).toBe(packetMs);
  });
});

describe('writeAnswer', () => {
  const answer = (text: string, changes: object = {}): string => {
    const offer = parseOffer(text);
    return writeAnswer(offer, {
      ...{
        agreement: agree(offer, ['pcmu'], { address: 'ice', port: 0 }),
        ufrag: 'u',
        password: 'p',
        fingerprint: 'AB',
      },
      ...{ addresses: ['203.0.113.5'], port: 7_882, hasTcp: false, sessionId: 5, ssrc: 77 },
      ...changes,
    });
  };

  it('has candidates of UDP alone without TCP', () => {
    const lines = answer(sdp(session, audio)).split('\r\n');
    expect(lines.filter((line) => line.startsWith('a=candidate'))).toEqual([
      'a=candidate:1 1 udp 2130706431 203.0.113.5 7882 typ host',
    ]);
  });

  it('names the IP version of its first address', () => {
    const addresses = ['2001:db8::5', '203.0.113.5'];
    expect(answer(sdp(session, audio), { addresses })).toContain('c=IN IP6 2001:db8::5\r\n');
  });

  it.each([
    ['has no group for an offer without one', sdp(session, audio), false],
    ['has no group for a line without a name', sdp(session, 'a=group:BUNDLE 0', without('a=mid')), false],
    ['repeats the group', sdp(session, 'a=group:BUNDLE 0', audio), true],
  ])('%s', (_name, text, hasGroup) => {
    expect(answer(text).includes('a=group:BUNDLE 0')).toBe(hasGroup);
  });

  it('ends each line with CR and LF', () => {
    expect(answer(sdp(session, audio))).toMatch(/^(?:[^\r\n]+\r\n)+$/);
  });
});
