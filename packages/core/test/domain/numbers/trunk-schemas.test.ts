import { describe, expect, it } from 'vitest';
import { carrierAccountSchemas, carrierCredentialSchemas } from '../../../src/domain/numbers/carrier-account.ts';
import { dialPolicySchema } from '../../../src/domain/numbers/dial-policy.ts';
import { dtmfKeysSchema } from '../../../src/domain/numbers/dtmf-keys.ts';
import {
  createSipTrunkSchema,
  createTrunkSchema,
  updateSipTrunkSchema,
} from '../../../src/domain/numbers/sip-trunk.ts';

const sip = { name: 'Main', provider: 'acme', address: 'sip.example.com' };

describe('the address of a SIP trunk', () => {
  const isAddress = (address: string): boolean => createSipTrunkSchema.safeParse({ ...sip, address }).success;

  it.each([
    'sip.example.com',
    'sip.example.com:5061',
    '203.0.113.7',
    '203.0.113.7:5060',
    '[2001:db8::1]',
    '[2001:db8::1]:5060',
  ])('may be %s', (address) => {
    expect(isAddress(address)).toBe(true);
  });

  it.each([
    '',
    'sip:example.com',
    'sip.example.com:0',
    'sip.example.com:65536',
    'sip.example.com:',
    'anna@example.com',
    'example.com/path',
    '2001:db8::1',
    '-example.com',
    'exa mple.com',
    'example.com\r\nVia: x',
  ])('must not be %j', (address) => {
    expect(isAddress(address)).toBe(false);
  });

  it('is trimmed', () => {
    expect(createSipTrunkSchema.parse({ ...sip, address: ' sip.example.com ' }).address).toBe('sip.example.com');
  });
});

describe('the limit of a trunk', () => {
  it.each([
    [1, true],
    [null, true],
    [0, false],
    [1.5, false],
    [100_001, false],
  ])('of %s calls is accepted: %s', (max_concurrent_calls, isAccepted) => {
    expect(updateSipTrunkSchema.safeParse({ max_concurrent_calls }).success).toBe(isAccepted);
  });
});

describe('the type of a new trunk', () => {
  it('is SIP if none is given to the schema of SIP trunks, and cannot be an unknown one', () => {
    expect(createSipTrunkSchema.safeParse(sip).success).toBe(true);
    expect(createTrunkSchema.safeParse({ ...sip, type: 'isdn' }).success).toBe(false);
  });

  it('decides about the fields', () => {
    const plivo = { type: 'plivo', name: 'P', account: { auth_id: 'MA1' }, credentials: { auth_token: 't' } };
    expect(createTrunkSchema.safeParse(plivo).success).toBe(true);
    expect(createTrunkSchema.safeParse({ ...plivo, address: 'sip.example.com' }).success).toBe(false);
    expect(createTrunkSchema.safeParse({ ...plivo, type: 'vonage' }).success).toBe(false);
  });
});

describe('the account of a carrier', () => {
  it.each<[keyof typeof carrierAccountSchemas, object, boolean]>([
    ['twilio', { account_sid: `AC${'0'.repeat(32)}` }, true],
    ['twilio', { account_sid: `SK${'0'.repeat(32)}` }, false],
    ['twilio', { account_sid: `AC${'0'.repeat(32)}`, region: 'ie1', edge: 'dublin' }, true],
    ['twilio', { account_sid: `AC${'0'.repeat(32)}`, edge: 'evil.example/' }, false],
    ['telnyx', { connection_id: '123', public_key: `${'A'.repeat(43)}=` }, true],
    ['telnyx', { connection_id: '123', public_key: 'short' }, false],
    ['telnyx', { connection_id: '../123', public_key: `${'A'.repeat(43)}=` }, false],
    ['plivo', { auth_id: 'MA1' }, true],
    ['plivo', { auth_id: '' }, false],
    ['vonage', { application_id: '00000000-0000-4000-8000-000000000001', wideband: true }, true],
    ['vonage', { application_id: 'x' }, false],
  ])('of %s with %j is accepted: %s', (type, account, isAccepted) => {
    expect(carrierAccountSchemas[type].safeParse(account).success).toBe(isAccepted);
  });
});

describe('the credentials of a carrier', () => {
  it('of Vonage are a private key in PEM and a secret', () => {
    const key = (private_key: string): boolean =>
      carrierCredentialSchemas.vonage.safeParse({ private_key, signature_secret: 's' }).success;
    expect(key('-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n')).toBe(true);
    expect(key('-----BEGIN PUBLIC KEY-----\nMIIE\n-----END PUBLIC KEY-----\n')).toBe(false);
    expect(key('MIIE')).toBe(false);
  });

  it('of Twilio may have an API key, with both of its parts', () => {
    const twilio = (api_key?: object): boolean =>
      carrierCredentialSchemas.twilio.safeParse({ auth_token: 't', ...(api_key && { api_key }) }).success;
    expect([twilio(), twilio({ sid: 'SK1', secret: 's' }), twilio({ sid: 'SK1' })]).toEqual([true, true, false]);
  });
});

describe('keys to press', () => {
  it.each(['1', 'ww204', '*#AD', 'W', '1'.repeat(100)])('may be %s', (keys) => {
    expect(dtmfKeysSchema.safeParse(keys).success).toBe(true);
  });

  it.each(['', 'E', 'x1', '1 2', '1'.repeat(101)])('must not be %j', (keys) => {
    expect(dtmfKeysSchema.safeParse(keys).success).toBe(false);
  });
});

describe('the dial policy of an organization', () => {
  it('forbids premium-rate numbers by default', () => {
    expect(dialPolicySchema.parse({ prefixes: null })).toEqual({ prefixes: null, premium_rate: false });
  });

  it.each([
    [['+31', '+'], false],
    [['+31', '+4930'], true],
    [['31'], false],
    [['+31 20'], false],
    [[], true],
  ])('with the prefixes %j is accepted: %s', (prefixes, isAccepted) => {
    expect(dialPolicySchema.safeParse({ prefixes }).success).toBe(isAccepted);
  });
});
