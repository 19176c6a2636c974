import { audioCodecs } from '@va/media';
import { parse } from 'sdp-transform';
import { describe, expect, it } from 'vitest';
import { agree } from '../../../src/server/webrtc/sdp/agreement.ts';
import { writeAnswer } from '../../../src/server/webrtc/sdp/answer.ts';
import { parseOffer } from '../../../src/server/webrtc/sdp/offer.ts';
import { chromiumOffer } from './offers.ts';

const remote = { address: 'ice', port: 0 };

function answerTo(offerText: string, codecs: ('pcmu' | 'opus')[] = ['pcmu']): string {
  const offer = parseOffer(offerText);
  return writeAnswer(offer, {
    agreement: agree(offer, codecs, remote),
    ufrag: 'ufrag',
    password: 'p'.repeat(24),
    fingerprint: 'AB:CD',
    addresses: ['203.0.113.5', '2001:db8::5'],
    port: 7_882,
    hasTcp: true,
    sessionId: 5,
    ssrc: 77,
  });
}

describe('parseOffer', () => {
  it('reads an offer of Chromium', () => {
    const offer = parseOffer(chromiumOffer);
    expect(offer).toMatchObject({ audioIndex: 0, ufrag: 'iFJB', isBundled: true });
    expect(offer.fingerprints).toEqual([{ algorithm: 'sha-256', value: expect.stringMatching(/^6E:.*:63$/) }]);
    expect(offer.mappings.map(({ encodingName }) => encodingName)).toContain('opus');
  });

  it.each([
    ['nothing', '', 'malformed'],
    ['no session description', 'hello', 'malformed'],
    ['no media', 'v=0\r\ns=-\r\n', 'malformed'],
    ['a line that cannot be repeated', chromiumOffer.replace('SAVPF 111', 'SAVPF "111'), 'malformed'],
    ['too many characters', `${chromiumOffer}${'a=x\r\n'.repeat(4_000)}`, 'malformed'],
    ['no DTLS', chromiumOffer.replace('UDP/TLS/RTP/SAVPF', 'RTP/AVP'), 'unacceptable'],
    ['no rtcp-mux', chromiumOffer.replace('a=rtcp-mux\r\n', ''), 'unacceptable'],
    ['no user name', chromiumOffer.replace(/a=ice-ufrag.*\r\n/, ''), 'unacceptable'],
    ['no fingerprint', chromiumOffer.replace(/a=fingerprint.*\r\n/, ''), 'unacceptable'],
    ['a weak fingerprint', chromiumOffer.replace('sha-256', 'sha-1'), 'unacceptable'],
    ['one direction alone', chromiumOffer.replace('a=sendrecv', 'a=sendonly'), 'unacceptable'],
    ['a server', chromiumOffer.replace('setup:actpass', 'setup:passive'), 'unacceptable'],
  ])('refuses %s', (_, text, kind) => {
    expect(() => parseOffer(text)).toThrow(expect.objectContaining({ name: 'OfferError', kind }));
  });

  it('takes the fingerprint of the session where the line has none', () => {
    const [line = ''] = /a=fingerprint.*\r\n/.exec(chromiumOffer) ?? [];
    const moved = chromiumOffer.replace(line, '').replace('t=0 0\r\n', `t=0 0\r\n${line}`);
    expect(parseOffer(moved).fingerprints).toEqual(parseOffer(chromiumOffer).fingerprints);
  });
});

describe('writeAnswer', () => {
  it('accepts the audio as the lite, passive side, and names its candidates', () => {
    const answer = parse(answerTo(chromiumOffer));
    const [audio] = answer.media;
    expect(answer).toMatchObject({ icelite: 'ice-lite', groups: [{ type: 'BUNDLE', mids: 0 }] });
    expect(audio).toMatchObject({
      port: 7_882,
      protocol: 'UDP/TLS/RTP/SAVPF',
      payloads: '0 126',
      setup: 'passive',
      direction: 'sendrecv',
      rtcpMux: 'rtcp-mux',
      iceUfrag: 'ufrag',
      fingerprint: { type: 'sha-256', hash: 'AB:CD' },
    });
    expect(audio?.candidates?.map(({ transport, ip, tcptype }) => [transport, ip, tcptype])).toEqual([
      ['udp', '203.0.113.5', undefined],
      ['udp', '2001:db8::5', undefined],
      ['tcp', '203.0.113.5', 'passive'],
      ['tcp', '2001:db8::5', 'passive'],
    ]);
    const priorities = (audio?.candidates ?? []).map(({ priority }) => Number(priority));
    expect(priorities).toEqual([...priorities].sort((a, b) => b - a));
  });

  it('selects the first codec of the offer that the service supports', () => {
    expect(parse(answerTo(chromiumOffer, ['pcmu', 'opus'])).media[0]).toMatchObject({ payloads: '111 110' });
    expect(() => answerTo(chromiumOffer.replaceAll('PCMU', 'PCMX').replace(' 0 8 ', ' 8 '))).toThrow(
      'none of the codecs',
    );
    expect(agree(parseOffer(chromiumOffer), ['opus'], remote).codec).toBe(audioCodecs.opus);
  });

  it('rejects the other lines', () => {
    const video = 'm=video 9 UDP/TLS/RTP/SAVPF 96\r\nc=IN IP4 0.0.0.0\r\na=mid:1\r\na=rtpmap:96 VP8/90000\r\n';
    const answer = parse(answerTo(`${chromiumOffer}${video}`));
    expect(answer.media.map(({ port, mid }) => [port, String(mid)])).toEqual([
      [7_882, '0'],
      [0, '1'],
    ]);
    expect(answer.groups).toEqual([{ type: 'BUNDLE', mids: 0 }]);
  });
});
