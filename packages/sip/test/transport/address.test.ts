import { describe, expect, it } from 'vitest';
import { parseListenAddress, reachableAddress, toHost } from '../../src/transport/address.ts';

describe('listening address', () => {
  it.each([
    ['udp://0.0.0.0:5080', { transport: 'udp', address: '0.0.0.0', port: 5_080 }],
    ['tcp://[::1]:0', { transport: 'tcp', address: '::1', port: 0 }],
    ['UDP://127.0.0.1', { transport: 'udp', address: '127.0.0.1', port: 5_060 }],
  ])('is parsed from %s', (text, address) => {
    expect(parseListenAddress(text)).toEqual(address);
  });

  it.each(['0.0.0.0:5060', 'http://127.0.0.1', 'udp://example.com:5060', 'udp://127.0.0.1:70000', 'udp://'])(
    'is not parsed from %s',
    (text) => {
      expect(() => parseListenAddress(text)).toThrow(expect.objectContaining({ code: 'sip_listen_address' }));
    },
  );

  it('is given to a peer as a reachable one', () => {
    expect(reachableAddress('0.0.0.0', '127.0.0.1')).toBe('127.0.0.1');
    expect(reachableAddress('::', '::1')).toBe('::1');
    expect(reachableAddress('192.0.2.1', '127.0.0.1')).toBe('192.0.2.1');
    expect(reachableAddress('0.0.0.0', '192.0.2.1')).not.toBe('0.0.0.0');
    expect(toHost('::1')).toBe('[::1]');
  });
});
