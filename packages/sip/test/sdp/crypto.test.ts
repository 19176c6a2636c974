import { systemRandom } from '@va/core/adapter';
import { type Agreement, offeredSuites, type SrtpSuiteName, srtpSuites } from '@va/media';
import { describe, expect, it } from 'vitest';
import { agree } from '../../src/sdp/agreement.ts';
import {
  acceptSecurity,
  answerSecurity,
  type ChooseSecurity,
  LocalSrtpKeys,
  offersKeys,
  type SrtpMode,
} from '../../src/sdp/crypto.ts';
import { parseSessionDescription } from '../../src/sdp/session-description.ts';
import { writeAnswer, writeOffer } from '../../src/sdp/write.ts';
import { offerText, wire } from '../support/messages.ts';

const origin = { sessionId: 7, version: 1, local: { address: '127.0.0.1', port: 4_000 } };
const key30 = 'PS1uQCVeeCFCanVmcjkpPywjNWhcYD0mXXtxaVBR';
const line80 = `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${key30}`;

function read(text: string, choose: ChooseSecurity): Agreement | null {
  const description = parseSessionDescription(wire(text));
  return description && agree(description, ['pcmu', 'pcma'], choose);
}

function offerWith(...lines: string[]): string {
  return `${offerText.replace('RTP/AVP', 'RTP/SAVP')}${lines.join('\n')}\n`;
}

function answered(text: string, mode: SrtpMode = 'offered'): Agreement | null {
  return read(text, answerSecurity(mode, new LocalSrtpKeys(systemRandom)));
}

describe('remote SRTP offer', () => {
  it('is accepted with its first supported suite, its tag and its profile', () => {
    const offer = offerWith('a=crypto:1 F8_128_HMAC_SHA1_80 inline:x', line80.replace(':1 ', ':7 '));
    const description = parseSessionDescription(wire(offer));
    const agreement = answered(offer);
    if (!description || !agreement) throw new Error('no agreement');
    expect(agreement.security).toMatchObject({ tag: 7, suite: 'AES_CM_128_HMAC_SHA1_80', remoteMkiBytes: 0 });
    expect(Buffer.from(agreement.security?.remoteKey ?? []).toString('base64')).toBe(key30);
    const answer = new TextDecoder().decode(writeAnswer(origin, description, agreement));
    expect(answer).toContain('m=audio 4000 RTP/SAVP 8 96\r\n');
    const localKey = Buffer.from(agreement.security?.localKey ?? []);
    expect(localKey).toHaveLength(30);
    expect(answer).toContain(`a=crypto:7 AES_CM_128_HMAC_SHA1_80 inline:${localKey.toString('base64')}\r\n`);
    expect(answer.match(/a=crypto/g)).toHaveLength(1);
  });

  it.each([
    ['a lifetime', `${line80}|2^20`, 0],
    ['an identifier', `${line80}|1:4`, 4],
    ['both', `${line80}|2^31|1:1`, 1],
    ['a window size', `${line80} WSH=128`, 0],
  ])('may have %s', (_, line, mkiBytes) => {
    expect(answered(offerWith(line))?.security).toMatchObject({ remoteMkiBytes: mkiBytes });
  });

  it.each([
    ['a key that is too short', line80.replace('PS1u', '')],
    ['a key of another suite', line80.replace('128_HMAC', '256_HMAC').replace('AES_CM_256', 'AES_256_CM')],
    ['two keys', `${line80}|2^20|1:1;inline:${key30}|2^20|2:1`],
    ['too long an identifier', `${line80}|1:999`],
    ['an unsupported parameter', `${line80} UNENCRYPTED_SRTCP`],
    ['no tag', line80.replace(':1 ', ':0 ')],
    ['a suite named like a property of every object', 'a=crypto:1 constructor inline:x'],
    ['an unsupported second parameter', `${line80} WSH=64 UNENCRYPTED_SRTP`],
    ['no key', 'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:'],
    ['no a=crypto line', ''],
  ])('is rejected with %s', (_, line) => {
    expect(answered(offerWith(line))).toBeNull();
  });

  it('is rejected, and an unencrypted one accepted, when SRTP is off', () => {
    expect(answered(offerWith(line80), 'off')).toBeNull();
    expect(answered(`${offerText}${line80}\n`, 'off')?.security).toBeNull();
  });

  it('beside plain media is accepted too, and plain media are rejected when SRTP is required', () => {
    expect(answered(`${offerText}${line80}\n`)?.security).toMatchObject({ tag: 1 });
    expect(answered(offerText)?.security).toBeNull();
    expect(answered(offerText, 'required')).toBeNull();
    expect(answered(offerWith(line80), 'required')?.security).not.toBeNull();
  });

  it('keeps one local key per suite over renegotiations', () => {
    const choose = answerSecurity('offered', new LocalSrtpKeys(systemRandom));
    const [first, second] = [read(offerWith(line80), choose), read(offerWith(line80), choose)];
    expect(first?.security?.localKey).toEqual(second?.security?.localKey);
  });
});

describe('local SRTP offer', () => {
  const suites = offeredSuites;
  const keys = new LocalSrtpKeys(systemRandom);

  function answerOf(...lines: string[]): Agreement | null {
    return read(offerWith(...lines), acceptSecurity(suites, keys));
  }

  function lineOf(tag: number, suite: SrtpSuiteName): string {
    const { keyBytes, saltBytes } = srtpSuites[suite];
    return `a=crypto:${tag} ${suite} inline:${Buffer.alloc(keyBytes + saltBytes, 1).toString('base64')}`;
  }

  it('contains every suite with its own key, and is parsed by this package', () => {
    const offered = suites.map((suite) => ({ suite, key: keys.keyFor(suite) }));
    const text = new TextDecoder().decode(
      writeOffer(origin, { codecs: ['pcmu'], direction: 'sendrecv', srtpKeys: offered }),
    );
    expect(text).toContain('m=audio 4000 RTP/SAVP 0 101\r\n');
    expect(text.match(/a=crypto:\d [A-Z0-9_]+ inline:/g)).toHaveLength(5);
    expect(new Set(text.match(/inline:\S+/g)).size).toBe(5);
    expect(parseSessionDescription(new TextEncoder().encode(text))?.media[0]?.crypto).toHaveLength(5);
  });

  it('is made when SRTP is required or the signalling is encrypted, but not when it is off', () => {
    const lengths = (['off', 'offered', 'required'] as const).map((mode) =>
      [false, true].map((secure) => offersKeys(mode, secure)),
    );
    expect(lengths).toEqual([
      [false, false],
      [false, true],
      [true, true],
    ]);
  });

  it('accepts an answer with one of its suites under its tag', () => {
    expect(suites.map((suite, index) => answerOf(lineOf(index + 1, suite))?.security?.suite)).toEqual(suites);
  });

  it.each([
    ['another suite under a tag', [lineOf(3, 'AES_CM_128_HMAC_SHA1_80')]],
    ['a tag that was not offered', [lineOf(9, 'AES_CM_128_HMAC_SHA1_80')]],
    ['two suites', [lineOf(1, 'AES_CM_128_HMAC_SHA1_80'), lineOf(2, 'AEAD_AES_128_GCM')]],
    ['none', []],
  ])('rejects an answer with %s', (_, lines) => {
    expect(answerOf(...lines)).toBeNull();
  });

  it('rejects an unencrypted answer, and one with keys that were not asked for', () => {
    const line = lineOf(1, 'AES_CM_128_HMAC_SHA1_80');
    expect(read(`${offerText}${line}\n`, acceptSecurity(suites, keys))).toBeNull();
    expect(read(`${offerText}${line}\n`, acceptSecurity([], keys))).toBeNull();
    expect(read(offerText, acceptSecurity([], keys))?.security).toBeNull();
  });
});
