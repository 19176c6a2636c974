import { describe, expect, it } from 'vitest';
import { SipHeaders } from '../../src/message/headers.ts';

const fields = (headers: SipHeaders): string[] => [...headers.entries()].map(([name, value]) => `${name}: ${value}`);

describe('SipHeaders', () => {
  it.each([
    ['a', 'Accept-Contact'],
    ['b', 'Referred-By'],
    ['c', 'Content-Type'],
    ['e', 'Content-Encoding'],
    ['f', 'From'],
    ['i', 'Call-ID'],
    ['k', 'Supported'],
    ['l', 'Content-Length'],
    ['m', 'Contact'],
    ['o', 'Event'],
    ['r', 'Refer-To'],
    ['s', 'Subject'],
    ['t', 'To'],
    ['u', 'Allow-Events'],
    ['v', 'Via'],
    ['X', 'Session-Expires'],
  ])('stores the compact form %s as %s', (compact, name) => {
    const headers = SipHeaders.of([[compact, 'value']]);
    expect(headers.get(name.toUpperCase())).toBe('value');
    expect(fields(headers)).toEqual([`${name}: value`]);
  });

  it('keeps the order and number of fields', () => {
    const headers = SipHeaders.of([
      ['Via', 'one'],
      ['To', 'x'],
      ['v', 'two, three'],
    ]);
    expect(headers.size).toBe(3);
    expect(headers.all('via')).toEqual(['one', 'two, three']);
    expect(headers.list('via')).toEqual(['one', 'two', 'three']);
    expect(headers.get('From')).toBeUndefined();
  });

  it('counts a field with an open quote as one element, and drops empty elements', () => {
    expect(SipHeaders.of([['Contact', '"a, <sip:b>']]).list('Contact')).toEqual(['"a, <sip:b>']);
    expect(SipHeaders.of([['Supported', ', 100rel,, timer,']]).list('Supported')).toEqual(['100rel', 'timer']);
  });

  it('replaces all fields of a name by one, at the end', () => {
    const headers = SipHeaders.of([
      ['Route', 'a'],
      ['To', 'x'],
      ['Route', 'b'],
    ]);
    expect(fields(headers.set('route', 'c'))).toEqual(['To: x', 'route: c']);
    expect(fields(headers.remove('TO'))).toEqual(['route: c']);
  });

  it('replaces the first element of the first field in place', () => {
    const headers = SipHeaders.of([
      ['Via', 'one, two'],
      ['Via', 'three'],
      ['To', 'x'],
    ]);
    expect(fields(headers.replaceFirst('Via', 'new'))).toEqual(['Via: new, two', 'Via: three', 'To: x']);
    expect(fields(headers.replaceFirst('Route', 'new'))).toHaveLength(3);
  });
});
