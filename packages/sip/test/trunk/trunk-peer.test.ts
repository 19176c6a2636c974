import { describe, expect, it } from 'vitest';
import { trunkPeer } from '../../src/trunk/trunk-peer.ts';

describe('trunkPeer', () => {
  it.each([
    ['sip.example', { host: 'sip.example', port: null }],
    ['sip.example:5080', { host: 'sip.example', port: 5_080 }],
    ['192.0.2.1:5060', { host: '192.0.2.1', port: 5_060 }],
    ['[2001:db8::1]', { host: '[2001:db8::1]', port: null }],
    ['[2001:db8::1]:5070', { host: '[2001:db8::1]', port: 5_070 }],
  ])('reads %s', (address, expected) => {
    expect(trunkPeer(address, 'udp')).toEqual({ ...expected, transport: 'udp' });
  });

  it.each(['', ':5060', 'a:b', '2001:db8::1', 'a:1:2'])('rejects %j', (address) => {
    expect(trunkPeer(address, null)).toBeNull();
  });
});
