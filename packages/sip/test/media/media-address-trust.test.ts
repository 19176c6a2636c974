import { normalizeAddress } from '@va/media';
import { describe, expect, it } from 'vitest';
import { checkMediaAddress, type MediaTrustOptions } from '../../src/media/media-address.ts';

function judged(address: string, signalling: string | null, options: MediaTrustOptions = {}, port = 4_000) {
  const trust = checkMediaAddress({ address, port }, { signalling, ...options });
  return typeof trust === 'string' ? trust.slice(0, 3) : trust.unheard;
}

describe('media address', () => {
  it.each([
    ['224.0.0.1', '127.0.0.1', '330'],
    ['255.255.255.255', '127.0.0.1', '330'],
    ['ff02::1', '::1', '330'],
    ['240.0.0.1', '9.9.9.1', 'withheld'],
    ['169.254.169.254', '127.0.0.1', '399'],
    ['169.254.169.254', '9.9.9.1', '399'],
    ['169.254.1.2', '169.254.1.1', 'limited'],
    ['127.0.0.1', '9.9.9.1', '399'],
    ['127.0.0.1', '10.0.0.1', '399'],
    ['::1', '2600::1', '399'],
    ['127.0.0.2', '127.0.0.1', 'limited'],
    ['127.0.0.1', '127.0.0.1', 'allowed'],
    ['10.0.0.2', '10.0.0.1', 'limited'],
    ['10.0.0.2', '127.0.0.1', 'limited'],
    ['192.168.1.5', '9.9.9.1', 'withheld'],
    ['100.64.0.9', '9.9.9.1', 'withheld'],
    ['fd00::1', '2600::1', 'withheld'],
    ['8.8.4.1', '9.9.9.1', 'limited'],
    ['9.9.9.1', '9.9.9.1', 'allowed'],
    ['9.9.9.1', '::ffff:9.9.9.1', 'allowed'],
    ['0.0.0.0', '9.9.9.1', 'withheld'],
    ['9.9.9.1', null, 'allowed'],
  ])('%s of a peer that signals from %s: %s', (address, signalling, expected) => {
    expect(judged(address, signalling)).toBe(expected);
  });

  it('may be private regardless of the signalling if the host allows it', () => {
    expect(judged('192.168.1.5', '9.9.9.1', { allowPrivate: true })).toBe('limited');
    expect(judged('127.0.0.1', '9.9.9.1', { allowPrivate: true })).toBe('limited');
    expect(judged('224.0.0.1', '9.9.9.1', { allowPrivate: true })).toBe('330');
  });

  it('must not have a port of a system service', () => {
    expect(judged('9.9.9.1', '9.9.9.1', {}, 53)).toBe('399');
  });
});

describe('normalizeAddress', () => {
  it('returns the same notation for all notations of an address', () => {
    expect(normalizeAddress('2001:0DB8:0:0::1')).toBe('2001:db8::1');
    expect(normalizeAddress('::ffff:192.0.2.1')).toBe('192.0.2.1');
    expect(normalizeAddress('192.0.2.1')).toBe('192.0.2.1');
  });
});
