import { describe, expect, it } from 'vitest';
import { formatReplaces, readReplaces, withReplaces } from '../../../src/dialog/session/replaces.ts';
import { parsedRequest, requestText } from '../../support/messages.ts';

const invite = (...headers: string[]) => parsedRequest(requestText({ headers }));

describe('Replaces (RFC 3891)', () => {
  it.each([
    ['c@h;to-tag=local;from-tag=remote', { callId: 'c@h', localTag: 'local', remoteTag: 'remote', earlyOnly: false }],
    [
      'c ; FROM-TAG=remote; to-tag=local ;early-only',
      { callId: 'c', localTag: 'local', remoteTag: 'remote', earlyOnly: true },
    ],
  ])('is read from %j', (value, expected) => {
    expect(readReplaces(invite(`Replaces: ${value}`))).toEqual(expected);
  });

  it.each(['c', ';to-tag=a;from-tag=b', 'c;to-tag=a', 'c;from-tag=b', 'two words;to-tag=a;from-tag=b', 'c;to-tag="a'])(
    'is malformed: %j',
    (value) => {
      expect(readReplaces(invite(`Replaces: ${value}`))).toBeUndefined();
    },
  );

  it('is malformed when it is repeated, and null when it is missing', () => {
    const value = 'Replaces: c;to-tag=a;from-tag=b';
    expect(readReplaces(invite(value, value))).toBeUndefined();
    expect(readReplaces(invite())).toBeNull();
  });

  it("is written with the tags of the recipient's view", () => {
    const text = formatReplaces({ callId: 'c@h', localTag: 'ours', remoteTag: 'theirs' });
    expect(text).toBe('c@h;to-tag=theirs;from-tag=ours');
    expect(readReplaces(invite(`Replaces: ${text}`))).toMatchObject({ localTag: 'theirs', remoteTag: 'ours' });
  });

  it.each([
    ['sip:a@b', 'sip:a@b?Replaces=c%3Bto-tag%3Dx'],
    ['sip:a@b?Subject=y', 'sip:a@b?Subject=y&Replaces=c%3Bto-tag%3Dx'],
  ])('is added to %s as an escaped header', (uri, expected) => {
    expect(withReplaces(uri, 'c;to-tag=x')).toBe(expected);
  });
});
