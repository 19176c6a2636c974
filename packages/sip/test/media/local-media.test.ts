import { describe, expect, it } from 'vitest';
import { isSameFamily, localMedia } from '../../src/media/local-media.ts';
import type { Flow } from '../../src/transport/flow.ts';
import { fakeFlow } from '../support/fake-flow.ts';

function flow(bound: string, advertised: string): Flow {
  return {
    ...fakeFlow(),
    bound: { transport: 'udp', address: bound, port: 5_060 },
    advertised: { address: advertised, port: 5_060 },
  };
}

describe('localMedia', () => {
  it.each([
    ['the address of the signalling', flow('192.0.2.1', '192.0.2.1'), '9.9.9.9', {}, '192.0.2.1', '192.0.2.1'],
    ['the advertised address behind NAT', flow('10.0.0.5', '203.0.113.7'), '9.9.9.9', {}, '10.0.0.5', '203.0.113.7'],
    ['a wildcard as the signalling', flow('0.0.0.0', '192.0.2.1'), '9.9.9.9', {}, '0.0.0.0', '192.0.2.1'],
    ['the address of the signalling for a local offer', flow('::1', '::1'), null, {}, '::1', '::1'],
    ['the address of the signalling for a hold', flow('::1', '::1'), '0.0.0.0', {}, '::1', '::1'],
    ['loopback of the other family', flow('127.0.0.1', '127.0.0.1'), '::1', {}, '::1', '::1'],
    [
      'rtpAddress and publicAddress',
      flow('127.0.0.1', '127.0.0.1'),
      '9.9.9.9',
      { rtpAddress: '10.0.0.9', publicAddress: '203.0.113.9' },
      '10.0.0.9',
      '203.0.113.9',
    ],
    [
      'rtpAddress as it is bound',
      flow('127.0.0.1', '127.0.0.1'),
      '9.9.9.9',
      { rtpAddress: '10.0.0.9' },
      '10.0.0.9',
      '10.0.0.9',
    ],
  ])('uses %s', (_, signalling, offered, options, bind, address) => {
    expect(localMedia(signalling, offered, options)).toEqual({ bind, address });
  });

  it('is null when rtpAddress has another address family than the offer', () => {
    expect(localMedia(flow('127.0.0.1', '127.0.0.1'), '2001:db8::1', { rtpAddress: '10.0.0.9' })).toBeNull();
  });
});

describe('isSameFamily', () => {
  it.each([
    ['192.0.2.1', '10.0.0.1', true],
    ['2001:db8::1', '::1', true],
    ['192.0.2.1', '::1', false],
    ['phone.example', '::1', true],
  ])('of %s and %s is %s', (one, other, expected) => {
    expect(isSameFamily(one, other)).toBe(expected);
  });
});
