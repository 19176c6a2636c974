import { type Agreement, type CodecName, sends } from '@va/media';
import { describe, expect, it } from 'vitest';
import { agree } from '../../src/sdp/agreement.ts';
import { parseSessionDescription } from '../../src/sdp/session-description.ts';
import { writeAnswer, writeOffer } from '../../src/sdp/write.ts';
import { offerText, wire } from '../support/messages.ts';

const both: readonly CodecName[] = ['pcmu', 'pcma'];
const origin = { sessionId: 7, version: 1, local: { address: '127.0.0.1', port: 4_000 } };

function agreed(text: string, allowed = both): Agreement | null {
  const description = parseSessionDescription(wire(text));
  return description && agree(description, allowed);
}

function answerTo(text: string): string {
  const description = parseSessionDescription(wire(text));
  const agreement = description && agree(description, both);
  if (!description || !agreement) throw new Error('no agreement');
  return new TextDecoder().decode(writeAnswer(origin, description, agreement));
}

describe('agree', () => {
  it("follows the offer's order of codecs", () => {
    expect(agreed(offerText)).toMatchObject({ codec: { name: 'pcma' }, payloadType: 8 });
    expect(agreed(offerText.replace('8 0 96', '0 8 96'))).toMatchObject({ codec: { name: 'pcmu' }, payloadType: 0 });
    expect(agreed(offerText, ['pcmu'])).toMatchObject({ codec: { name: 'pcmu' } });
  });

  it('uses the payload types of the offer, also unusual ones', () => {
    const text = offerText.replace('8 0 96', '100 96').replace('a=rtpmap', 'a=rtpmap:100 pcmu/8000/1\na=rtpmap');
    expect(agreed(text)).toMatchObject({ codec: { name: 'pcmu' }, payloadType: 100, telephoneEventPayloadType: 96 });
  });

  it('works without telephone-event when the peer has none', () => {
    expect(agreed(offerText.replace(/a=rtpmap.*\n/, ''))).toMatchObject({ telephoneEventPayloadType: null });
  });

  it.each([
    ['g722', '9', '', 9, 8_000],
    ['opus', '109', 'a=rtpmap:109 opus/48000/2\n', 109, 48_000],
  ] as const)('recognizes %s by its payload type and clock rate', (name, payloads, lines, payloadType, clockRateHz) => {
    const text = `${offerText.replace('8 0 96', `${payloads} 96`)}${lines}`;
    expect(agreed(text, [name])).toMatchObject({ codec: { name, clockRateHz }, payloadType });
  });

  it("prefers the telephone-event of the codec's clock rate, else takes any other", () => {
    const lines = 'a=rtpmap:109 opus/48000/2\na=rtpmap:110 telephone-event/48000\n';
    const text = `${offerText.replace('8 0 96', '109 8 96 110')}${lines}`;
    expect(agreed(text, ['opus'])).toMatchObject({ telephoneEventPayloadType: 110, telephoneEventClockRateHz: 48_000 });
    expect(agreed(text, ['pcma'])).toMatchObject({ telephoneEventPayloadType: 96, telephoneEventClockRateHz: 8_000 });
    const without = text.replace('a=rtpmap:110 telephone-event/48000\n', '');
    expect(agreed(without, ['opus'])).toMatchObject({
      telephoneEventPayloadType: 96,
      telephoneEventClockRateHz: 8_000,
    });
  });

  it('ignores telephone-event at a clock rate of 0, which would give events no duration', () => {
    const text = offerText.replace('telephone-event/8000', 'telephone-event/0');
    expect(agreed(text)).toMatchObject({ codec: { name: 'pcma' }, telephoneEventPayloadType: null });
    expect(answerTo(text)).toContain('m=audio 4000 RTP/AVP 8\r\n');
    const both = `${text.replace('8 0 96', '8 0 96 97')}a=rtpmap:97 telephone-event/8000\n`;
    expect(agreed(both)).toMatchObject({ telephoneEventPayloadType: 97, telephoneEventClockRateHz: 8_000 });
  });

  it('finds the RTCP port: multiplexed, the next one, or the one of a=rtcp', () => {
    expect(agreed(`${offerText}a=rtcp-mux\n`)?.rtcp).toEqual({ mux: true, port: 40_001 });
    expect(agreed(offerText)?.rtcp).toEqual({ mux: false, port: 40_001 });
    expect(agreed(`${offerText}a=rtcp:53020 IN IP4 127.0.0.1\n`)?.rtcp).toEqual({ mux: false, port: 53_020 });
  });

  it("prefers the address of the media line over the session's", () => {
    expect(agreed(`${offerText}c=IN IP4 192.0.2.7\n`)).toMatchObject({
      remote: { address: '192.0.2.7', port: 40_000 },
    });
    expect(agreed(offerText.replaceAll('IP4 127.0.0.1', 'IP6 ::1'))).toMatchObject({ remote: { address: '::1' } });
  });

  it.each([
    ['sendrecv', 'sendrecv', true],
    ['sendonly', 'recvonly', false],
    ['recvonly', 'sendonly', true],
    ['inactive', 'inactive', false],
  ])('answers %s with %s', (offered, answered, sending) => {
    const agreement = agreed(`${offerText}a=${offered}\n`);
    expect(agreement?.direction).toBe(answered);
    expect(agreement && sends(agreement.direction)).toBe(sending);
  });

  it('recognizes the null address as hold', () => {
    expect(agreed(offerText.replace('c=IN IP4 127.0.0.1', 'c=IN IP4 0.0.0.0'))?.direction).toBe('recvonly');
  });

  it.each([
    ['only other codecs', offerText.replace('8 0 96', '9 18')],
    [
      'a supported codec name at another clock rate',
      offerText.replace('8 0 96', '97').replace('96 telephone-event', '97 PCMU').replace('/8000', '/16000'),
    ],
    ['only video', offerText.replace('m=audio', 'm=video')],
    ['a refused stream', offerText.replace('40000', '0')],
    ['encrypted media', offerText.replace('RTP/AVP', 'RTP/SAVP')],
    ['no media', offerText.replace(/m=audio.*/s, '')],
    ['no address', offerText.replace(/c=.*\n/, '')],
    ['a host name as address', offerText.replace('c=IN IP4 127.0.0.1', 'c=IN IP4 example.com')],
    ['an invalid port', offerText.replace('40000', '99999')],
    ['text that is not SDP', '{"sdp": 1}'],
  ])('finds nothing in %s', (_, text) => {
    expect(agreed(text)).toBeNull();
  });
});

describe('answer', () => {
  it('repeats the payload types of the offer and names one codec', () => {
    const answer = answerTo(offerText);
    expect(answer).toContain('m=audio 4000 RTP/AVP 8 96\r\n');
    expect(answer).toContain('a=rtpmap:8 PCMA/8000\r\n');
    expect(answer).toContain('a=rtpmap:96 telephone-event/8000\r\n');
    expect(answer).toContain('a=fmtp:96 0-15\r\n');
    expect(answer).toContain('c=IN IP4 127.0.0.1\r\n');
  });

  it('has as many media lines as the offer, all others rejected', () => {
    const answer = answerTo(offerText.replace('m=audio', 'm=video 5000 RTP/AVP 31\nm=audio'));
    const lines = answer.split('\r\n').filter((line) => line.startsWith('m='));
    expect(lines).toEqual(['m=video 0 RTP/AVP 31', 'm=audio 4000 RTP/AVP 8 96']);
  });

  it('multiplexes RTCP when the offer does', () => {
    expect(answerTo(`${offerText}a=rtcp-mux\n`)).toContain('a=rtcp-mux\r\n');
    expect(answerTo(offerText)).not.toContain('rtcp-mux');
  });

  it('is parsed by this package, as is a local offer', () => {
    const offer = parseSessionDescription(writeOffer(origin, { codecs: both, direction: 'sendrecv' }));
    expect(offer && agree(offer, ['pcma'])).toMatchObject({ payloadType: 8, telephoneEventPayloadType: 101 });
    expect(agreed(answerTo(offerText))).toMatchObject({ remote: { port: 4_000 }, direction: 'sendrecv' });
  });

  it('is requested by an offer that has telephone-event at the clock rate of each codec', () => {
    const text = (codecs: readonly CodecName[]): string =>
      new TextDecoder().decode(writeOffer(origin, { codecs, direction: 'sendrecv' }));
    expect(text(['opus', 'g722', 'pcma'])).toContain('m=audio 4000 RTP/AVP 96 9 8 101 102\r\n');
    expect(text(['opus'])).toContain('m=audio 4000 RTP/AVP 96 102\r\n');
    expect(text(['opus'])).toContain('a=rtpmap:96 opus/48000/2\r\n');
    expect(text(['opus'])).toContain('a=rtpmap:102 telephone-event/48000\r\n');
    expect(text(['g722'])).toContain('a=rtpmap:9 G722/8000\r\n');
  });
});
