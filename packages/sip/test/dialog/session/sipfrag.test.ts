import { describe, expect, it } from 'vitest';
import { readEvent } from '../../../src/dialog/session/outgoing-refer.ts';
import { readSipfrag, writeSipfrag } from '../../../src/dialog/session/sipfrag.ts';
import { parsedRequest, requestText, wire } from '../../support/messages.ts';

describe('message/sipfrag body (RFC 3420)', () => {
  it.each([
    ['SIP/2.0 200 OK\n', { status: 200, reason: 'OK' }],
    ['sip/2.0  486 Busy Here\nContact: <sip:a@b>\n', { status: 486, reason: 'Busy Here' }],
    ['\n\nSIP/2.0 100\n', { status: 100, reason: '' }],
  ])('of %j has a status', (text, expected) => {
    expect(readSipfrag(wire(text))).toEqual(expected);
  });

  it.each(['', 'INVITE sip:a@b SIP/2.0\n', 'SIP/2.0 700 x\n', 'SIP/2.0 20 x\n', `${' '.repeat(600)}SIP/2.0 200 OK`])(
    'of %j has no status',
    (text) => {
      expect(readSipfrag(wire(text))).toBeNull();
    },
  );

  it('is read as it was written', () => {
    expect(readSipfrag(writeSipfrag(603, 'Decline'))).toEqual({ status: 603, reason: 'Decline' });
  });
});

describe('Event of a NOTIFY (RFC 6665 §8.2.1)', () => {
  it.each([
    ['refer', { name: 'refer', id: null }],
    ['REFER ; id=93809824', { name: 'refer', id: '93809824' }],
    ['presence;x=y', { name: 'presence', id: null }],
  ])('is read from %j', (value, expected) => {
    expect(readEvent(parsedRequest(requestText({ method: 'NOTIFY', headers: [`Event: ${value}`] })))).toEqual(expected);
  });

  it('has an empty name when the field is missing', () => {
    expect(readEvent(parsedRequest(requestText({ method: 'NOTIFY' })))).toEqual({ name: '', id: null });
  });
});
