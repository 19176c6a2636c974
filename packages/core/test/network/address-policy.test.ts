import { describe, expect, it } from 'vitest';
import { classifyAddress, createAddressPolicy, isPublicAddress } from '../../src/network/address-policy.ts';

describe('classifyAddress', () => {
  it.each([
    ['8.8.8.8', 'public'],
    ['2606:4700:4700::1111', 'public'],
    ['::ffff:8.8.8.8', 'public'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['192.168.1.1', 'private'],
    ['fc00::1', 'private'],
    ['fec0::1', 'private'],
    ['::ffff:10.0.0.1', 'private'],
    ['127.9.9.9', 'loopback'],
    ['::1', 'loopback'],
    ['0x7f.1', 'loopback'],
    ['2130706433', 'loopback'],
    ['169.254.1.1', 'linkLocal'],
    ['fe80::1', 'linkLocal'],
    ['fe80::1%eth0', 'linkLocal'],
    ['224.0.0.1', 'multicast'],
    ['ff02::1', 'multicast'],
    ['255.255.255.255', 'broadcast'],
    ['0.0.0.0', 'unspecified'],
    ['0.1.2.3', 'unspecified'],
    ['::', 'unspecified'],
    ['100.64.0.1', 'reserved'],
    ['192.0.2.1', 'reserved'],
    ['198.18.0.1', 'reserved'],
    ['240.0.0.1', 'reserved'],
    ['2001:db8::1', 'reserved'],
    ['64:ff9b::a00:1', 'translated'],
    ['64:ff9b:1::a00:1', 'translated'],
    ['2002:a00:1::', 'translated'],
    ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'translated'],
    ['::10.0.0.1', 'private'],
    ['::a00:1', 'translated'],
    ['169.254.169.254', 'metadata'],
    ['::ffff:169.254.169.254', 'metadata'],
    ['168.63.129.16', 'metadata'],
    ['100.100.100.200', 'metadata'],
    ['fd00:ec2::254', 'metadata'],
    ['nonsense', 'invalid'],
    ['', 'invalid'],
  ])('classifies %s as %s', (address, kind) => {
    expect(classifyAddress(address)).toBe(kind);
    expect(isPublicAddress(address)).toBe(kind === 'public');
  });
});

describe('createAddressPolicy', () => {
  it('allows only addresses of the public internet by default', () => {
    const policy = createAddressPolicy();
    expect(policy.allows('8.8.8.8')).toBe(true);
    expect(policy.allows('10.0.0.1')).toBe(false);
    expect(policy.allows('168.63.129.16')).toBe(false);
    expect(policy.allows('nonsense')).toBe(false);
  });

  it('allows listed addresses and CIDR blocks, also in their IPv4-mapped form', () => {
    const policy = createAddressPolicy({ allowed: ['10.20.0.0/16', '127.0.0.1', 'fd12::/32'] });
    expect(policy.allows('10.20.3.4')).toBe(true);
    expect(policy.allows('::ffff:10.20.3.4')).toBe(true);
    expect(policy.allows('10.21.0.1')).toBe(false);
    expect(policy.allows('127.0.0.1')).toBe(true);
    expect(policy.allows('127.0.0.2')).toBe(false);
    expect(policy.allows('fd12::9')).toBe(true);
    expect(policy.allows('fd13::9')).toBe(false);
  });

  it('allows the addresses of a listed host name, and nothing for other names', () => {
    const policy = createAddressPolicy({ allowed: ['PBX.internal', '*.corp.example'] });
    expect(policy.allows('10.0.0.1', 'pbx.internal.')).toBe(true);
    expect(policy.allows('10.0.0.1', 'a.b.corp.example')).toBe(true);
    expect(policy.allows('10.0.0.1', 'corp.example')).toBe(false);
    expect(policy.allows('10.0.0.1', 'evilcorp.example')).toBe(false);
    expect(policy.allows('10.0.0.1')).toBe(false);
  });

  it('keeps refusing multicast, broadcast and metadata addresses when private ones are allowed', () => {
    const policy = createAddressPolicy({ publicOnly: false });
    for (const address of ['10.0.0.1', '127.0.0.1', '::1', '169.254.1.1', '100.64.0.1']) {
      expect(policy.allows(address), address).toBe(true);
    }
    for (const address of ['169.254.169.254', '224.0.0.1', '255.255.255.255', '0.0.0.0', '']) {
      expect(policy.allows(address), address).toBe(false);
    }
    expect(createAddressPolicy({ allowed: ['169.254.169.254'] }).allows('169.254.169.254')).toBe(true);
  });

  it.each(['', 'http://x', 'a b', '10.0.0.0/33'])('refuses the entry %j', (entry) => {
    expect(() => createAddressPolicy({ allowed: [entry] })).toThrow('neither an IP address');
  });
});
