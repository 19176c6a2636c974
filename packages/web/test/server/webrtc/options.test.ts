import { describe, expect, it } from 'vitest';
import { candidateAddresses } from '../../../src/server/webrtc/addresses.ts';
import { checkWebRtcOptions, type WebRtcOptions } from '../../../src/server/webrtc/options.ts';

describe('checkWebRtcOptions', () => {
  it.each<WebRtcOptions>([
    {},
    { port: 0 },
    { port: 65_535, address: '::', announce: ['203.0.113.1', '2001:db8::1'], codecs: ['pcmu'] },
    { announce: Array(8).fill('203.0.113.1') },
  ])('accepts %j', (options) => {
    expect(() => checkWebRtcOptions(options)).not.toThrow();
  });

  it.each<[WebRtcOptions, string]>([
    [{ port: -1 }, 'port -1'],
    [{ port: 65_536 }, 'port 65536'],
    [{ port: 1.5 }, 'port 1.5'],
    [{ address: 'localhost' }, '"localhost" is not an IP address'],
    [{ announce: ['203.0.113.1', 'example.com'] }, '"example.com" is not an IP address'],
    [{ announce: Array(9).fill('203.0.113.1') }, 'at most 8'],
    [{ codecs: [] }, 'at least one codec'],
  ])('refuses %j and says what is expected', (options, message) => {
    expect(() => checkWebRtcOptions(options)).toThrow(
      expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(message) }),
    );
  });
});

describe('candidateAddresses', () => {
  it('are the announced addresses in their order', () => {
    expect(candidateAddresses('0.0.0.0', ['203.0.113.2', '203.0.113.1'])).toEqual(['203.0.113.2', '203.0.113.1']);
  });

  it('are the bound address if none is announced', () => {
    expect(candidateAddresses('192.0.2.1', [])).toEqual(['192.0.2.1']);
  });

  it('are IPv4 addresses of the machine, at most eight, when all are bound', () => {
    const found = candidateAddresses('0.0.0.0', []);
    expect(found.length).toBeLessThanOrEqual(8);
    expect(found.filter((address) => !/^\d+(\.\d+){3}$/.test(address))).toEqual([]);
  });
});
