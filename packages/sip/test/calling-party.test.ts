import { describe, expect, it } from 'vitest';
import { callingParty } from '../src/calling-party.ts';
import { dialedParties } from '../src/dialed-parties.ts';
import { type Envelope, readEnvelope } from '../src/message/envelope.ts';
import { parsedRequest, type RequestParts, requestText } from './support/messages.ts';

function invite(parts: RequestParts, to?: string) {
  const text = requestText(parts);
  const request = parsedRequest(to === undefined ? text : text.replace(/^To: .*$/m, `To: ${to}`));
  return { request, envelope: readEnvelope(request) as Envelope };
}

const asserted = (...values: string[]): string[] => values.map((value) => `P-Asserted-Identity: ${value}`);

describe('callingParty (RFC 3325)', () => {
  it.each([
    ['the asserted number', asserted('<sip:+31655555555@a.example>'), '+31655555555', 'Ann'],
    ['the asserted name', asserted('"Bob" <sip:+31655555555@a.example>'), '+31655555555', 'Bob'],
    ['the number before a name', asserted('"Bob" <sip:bob@a.example>, <tel:+31655555555>'), '+31655555555', 'Bob'],
    ['a name without a number', asserted('<sip:bob@a.example>'), 'bob', 'Ann'],
    ['From without a user in the identity', asserted('<sip:a.example>'), '+31612345678', 'Ann'],
    ['From with a malformed identity', asserted('"Bob <sip:+31655555555@a.example>'), '+31612345678', 'Ann'],
    ['From without an identity', [], '+31612345678', 'Ann'],
    ['From with Privacy: id', [...asserted('<tel:+31655555555>'), 'Privacy: id'], '+31612345678', 'Ann'],
    [
      'From with Privacy: header;USER',
      [...asserted('<tel:+31655555555>'), 'Privacy: header;USER'],
      '+31612345678',
      'Ann',
    ],
    ['the identity with Privacy: none', [...asserted('<tel:+31655555555>'), 'Privacy: none'], '+31655555555', 'Ann'],
  ])('is %s', (_, headers, number, displayName) => {
    expect(callingParty(invite({ headers }), true)).toMatchObject({ number, displayName });
  });

  it('is From for a caller that is not trusted', () => {
    expect(callingParty(invite({ headers: asserted('<tel:+31655555555>') }), false).number).toBe('+31612345678');
  });
});

describe('dialedParties (RFC 3261 §16.6, RFC 7315 §4.2)', () => {
  it.each([
    ['the Request-URI, then To', { uri: 'sip:one@a.example' }, ['one', '+31201234567']],
    [
      'P-Called-Party-ID before To',
      { uri: 'sip:one@a.example', headers: ['P-Called-Party-ID: <sip:two@a.example>'] },
      ['one', 'two', '+31201234567'],
    ],
    ['To for a Request-URI without a user', { uri: 'sip:a.example' }, ['+31201234567']],
    [
      'To for a P-Called-Party-ID without a user',
      { uri: 'sip:a.example', headers: ['P-Called-Party-ID: <sip:a.example>'] },
      ['+31201234567'],
    ],
    ['the number of a tel URI', { uri: 'tel:+31-20-7654321' }, ['+31207654321', '+31201234567']],
  ])('are %s', (_, parts, numbers) => {
    expect(dialedParties(invite(parts)).map(({ number }) => number)).toEqual(numbers);
  });

  it('have the display name of To for the Request-URI', () => {
    const [requested] = dialedParties(invite({ uri: 'sip:one@a.example' }, '"Reception" <sip:two@a.example>'));
    expect(requested).toEqual({ number: 'one', displayName: 'Reception', uri: 'sip:one@a.example' });
  });
});
