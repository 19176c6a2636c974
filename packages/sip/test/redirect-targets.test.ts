import { describe, expect, it } from 'vitest';
import { RedirectTargets, redirectContacts } from '../src/redirect-targets.ts';
import type { PeerAddress } from '../src/resolve/peer-resolver.ts';
import { parsedResponse } from './support/messages.ts';

const trunk: PeerAddress = { host: 'trunk.example', port: 5_080, transport: 'tcp' };

function targets(uri = 'sip:1@trunk.example'): RedirectTargets {
  return new RedirectTargets({ uri, trunk, hosts: new Set(['other.example']) });
}

function next(contact: string, uri?: string) {
  const all = targets(uri);
  all.add([contact]);
  return all.next();
}

describe('redirectContacts (RFC 3261 §20.10)', () => {
  it.each([
    ['<sip:a@x>;q=0.1, <sip:b@x>;q=0.9, <sip:c@x>', ['sip:c@x', 'sip:b@x', 'sip:a@x']],
    ['<sip:a@x>;q=high, <sip:b@x>;q=0.1', ['sip:b@x', 'sip:a@x']],
    ['<sip:a@x>;q=7, <sip:b@x>', ['sip:a@x', 'sip:b@x']],
    ['<sip:a@x', []],
  ])('orders %j by q', (contact, expected) => {
    expect(redirectContacts(parsedResponse(`SIP/2.0 302 x\nContact: ${contact}\n\n`))).toEqual(expected);
  });

  it('reads at most twenty', () => {
    const lines = Array.from({ length: 30 }, (_, i) => `Contact: <sip:${i}@x>`).join('\n');
    expect(redirectContacts(parsedResponse(`SIP/2.0 300 x\n${lines}\n\n`))).toHaveLength(20);
  });
});

describe('RedirectTargets', () => {
  it.each([
    ["at the trunk's host, with its port and transport", 'sip:2@TRUNK.example', 'sip:2@TRUNK.example', trunk],
    [
      "at another port of the trunk's host",
      'sip:2@trunk.example:5090',
      'sip:2@trunk.example:5090',
      { host: 'trunk.example', port: 5_090, transport: 'tcp', secure: false },
    ],
    [
      'at a listed host, by its own transport',
      'sip:2@other.example;transport=udp',
      'sip:2@other.example;transport=udp',
      { host: 'other.example', port: null, transport: 'udp', secure: false },
    ],
    [
      'without the header fields of its URI',
      'sip:2@other.example?Replaces=x',
      'sip:2@other.example',
      { host: 'other.example', port: null, transport: 'tcp', secure: false },
    ],
  ])('allow a target %s', (_, contact, uri, peer) => {
    expect(next(contact)).toEqual({ uri, peer });
  });

  it.each([
    ['at a host that is not listed', 'sip:2@third.example'],
    ['with another method', 'sip:2@trunk.example;method=BYE'],
    ['with another address', 'sip:2@third.example;maddr=other.example'],
    ['that is the called one', 'sip:1@Trunk.example'],
    ['that is not a SIP URI', 'tel:+31201234567'],
    ['with an unsupported transport', 'sip:2@trunk.example;transport=sctp'],
  ])('reject a target %s', (_, contact) => {
    expect(next(contact)).toBeNull();
  });

  it('reject a SIP URI for a call to a SIPS URI', () => {
    expect(next('sip:2@trunk.example', 'sips:1@trunk.example')).toBeNull();
    expect(next('sips:2@trunk.example', 'sips:1@trunk.example')?.uri).toBe('sips:2@trunk.example');
  });

  it('return each target once, those of the last redirection first, and four at most', () => {
    const all = targets();
    const contact = (user: string): string => `sip:${user}@trunk.example`;
    all.add(['a', 'b', 'a'].map(contact));
    expect(all.next()?.uri).toBe(contact('a'));
    all.add(['c', 'b', 'd', 'e'].map(contact));
    const others = Array.from({ length: 5 }, () => all.next()?.uri ?? null);
    expect(others).toEqual([contact('c'), contact('d'), contact('e'), null, null]);
  });
});
