import { describe, expect, it } from 'vitest';
import { newApiKeySchema } from '../../../src/domain/accounts/api-key.ts';
import { addMailDomainSchema, selectMailDomainSchema } from '../../../src/domain/accounts/mail-domain.ts';
import { newPublishableKeySchema } from '../../../src/domain/accounts/publishable-key.ts';
import { webCallSchema } from '../../../src/domain/calls/web-call.ts';
import { recordId } from '../../support/sample-records.ts';
import { untyped } from '../../support/untyped.ts';

describe('the origins of a publishable key', () => {
  const isOrigin = (origin: string): boolean =>
    newPublishableKeySchema.safeParse({ name: 'Site', agents: [recordId('a')], origins: [origin] }).success;

  it.each([
    'https://www.example.com',
    'https://example.com:8443',
    'http://localhost',
    'http://localhost:5173',
    'http://app.localhost',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
  ])('may be %s', (origin) => {
    expect(isOrigin(origin)).toBe(true);
  });

  it.each([
    'http://www.example.com',
    'https://www.example.com/',
    'https://www.example.com/path',
    'https://*.example.com',
    'https://anna@example.com',
    'HTTPS://www.example.com',
    'https://www.example.com:443',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    'file:///index.html',
    'null',
    '',
  ])('must not be %j', (origin) => {
    expect(isOrigin(origin)).toBe(false);
  });
});

describe('the limits of a publishable key', () => {
  const parse = (changes: object) =>
    newPublishableKeySchema.safeParse({
      name: 'Site',
      agents: [recordId('a')],
      origins: ['https://www.example.com'],
      ...changes,
    });

  it('have defaults for a public page', () => {
    expect(parse({}).data).toMatchObject({
      calls_per_minute: 10,
      calls_per_minute_per_address: 3,
      minutes_per_day: 60,
      max_call_seconds: 300,
      variables: [],
      expires_at: null,
    });
  });

  it.each([
    { max_call_seconds: 29 },
    { calls_per_minute: 0 },
    { minutes_per_day: 0 },
    { agents: [] },
    { agents: ['anna'] },
    { origins: [] },
    { expires_at: '2026-01-01' },
    { expires_at: '9999-01-01T00:00:00Z' },
  ])('must not be %j', (changes) => {
    expect(parse(changes).success).toBe(false);
  });

  it('have their expiry in UTC', () => {
    expect(parse({ expires_at: '2026-06-01T12:00:00+02:00' }).data?.expires_at).toBe('2026-06-01T10:00:00.000Z');
  });
});

describe('the scopes of an API key', () => {
  const isScope = (scope: string): boolean => newApiKeySchema.safeParse({ name: 'CI', scopes: [scope] }).success;

  it.each(['*', 'calls:read', 'api-keys:write'])('may be %s', (scope) => {
    expect(isScope(scope)).toBe(true);
  });

  it.each(['calls', 'calls:*', 'calls:delete', '*:read', 'secrets:read', 'calls:read ', ''])(
    'must not be %j',
    (scope) => {
      expect(isScope(scope)).toBe(false);
    },
  );

  it('are all of them by default, and never none', () => {
    expect(newApiKeySchema.parse({ name: 'CI' }).scopes).toEqual(['*']);
    expect(newApiKeySchema.safeParse({ name: 'CI', scopes: [] }).success).toBe(false);
  });
});

describe('a mail domain', () => {
  it.each([
    ['mail.example.com', 'mail.example.com'],
    [' Mail.Example.COM ', 'mail.example.com'],
    ['xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
  ])('may be %j', (written, name) => {
    expect(addMailDomainSchema.parse({ domain_name: written })).toEqual({ domain_name: name });
  });

  it.each([
    'example',
    '-a.example',
    'a-.example',
    'a..example',
    'a_b.example',
    'münchen.example',
    '10.0.0.1',
    `${'a'.repeat(64)}.example`,
    'a.example/x',
    '',
  ])('must not be %j', (domain_name) => {
    expect(addMailDomainSchema.safeParse({ domain_name }).success).toBe(false);
  });

  it('is selected by its id, also under its other name', () => {
    expect(selectMailDomainSchema.parse({ domain_id: 'd1' })).toEqual({ domain_id: 'd1' });
    expect(selectMailDomainSchema.parse(untyped({ resendDomainId: 'd2' }))).toEqual({ domain_id: 'd2' });
    expect(selectMailDomainSchema.safeParse({ domain_id: 'd1', resendDomainId: 'd2' }).success).toBe(false);
    for (const input of [{}, null, 'd1', { domain_id: '' }]) {
      expect(selectMailDomainSchema.safeParse(input).success).toBe(false);
    }
  });
});

describe('the request of a web call', () => {
  const isAccepted = (changes: object): boolean =>
    webCallSchema.safeParse({ agent_id: recordId('a'), ...changes }).success;

  it('has at most 16,384 characters of variables, and of metadata', () => {
    const text = (length: number): object => ({ text: 'x'.repeat(length - '{"text":""}'.length) });
    expect([isAccepted({ variables: text(16_384) }), isAccepted({ variables: text(16_385) })]).toEqual([true, false]);
    expect([isAccepted({ metadata: text(16_384) }), isAccepted({ metadata: text(16_385) })]).toEqual([true, false]);
  });

  it('has names of at most 100 characters, and needs an agent', () => {
    expect(isAccepted({ variables: { ['n'.repeat(101)]: 1 } })).toBe(false);
    expect(isAccepted({ variables: { '': 1 } })).toBe(false);
    expect(webCallSchema.safeParse({}).success).toBe(false);
  });
});
