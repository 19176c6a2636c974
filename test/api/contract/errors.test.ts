import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, openApi } from '../support/api.ts';
import { storageKinds } from '../support/storages.ts';
import { error, problem } from './error-shapes.ts';
import { refusalsOfInput } from './refusals-of-input.ts';
import { refusalsOfState } from './refusals-of-state.ts';

const refusals = [...refusalsOfInput, ...refusalsOfState];

/** Every code of the contract except `rate_limit_exceeded`, which has its own suite. */
const listedCodes = [
  'agent_inactive',
  'agent_incomplete',
  'api_key_expired',
  'api_key_revoked',
  'body_too_large',
  'call_active',
  'call_not_active',
  'campaign_invalid_transition',
  'campaign_not_editable',
  'concurrency_limit_exceeded',
  'domain_exists',
  'duplicate_lead',
  'forbidden',
  'idempotency_in_progress',
  'idempotency_key_reused',
  'insufficient_credits',
  'internal_error',
  'invalid_field',
  'invalid_json',
  'invalid_phone_number',
  'invalid_reference',
  'invalid_timezone',
  'lead_in_progress',
  'method_not_allowed',
  'missing_field',
  'no_outbound_number',
  'no_trunk',
  'not_supported_in_realtime',
  'number_in_use',
  'phone_number_exists',
  'provider_error',
  'provider_timeout',
  'unauthorized',
  'unavailable',
  'unknown_field',
  'unsupported_media_type',
];

it('covers every error code of the contract', () => {
  const provoked = new Set(refusals.map(({ code }) => code));
  expect(listedCodes.filter((code) => !provoked.has(code))).toEqual([]);
});

describe.each(storageKinds)('errors on $name', (kind) => {
  let api: Api;
  beforeAll(async () => {
    api = await openApi(kind);
  });
  afterAll(() => api.close());

  it.each(refusals)('returns $status $code when $when', async ({ status, code, param, faults, headers, provoke }) => {
    const tenant = await api.tenant();
    const { method, path, ...request } = await provoke(tenant);
    const flat = await tenant.send(method, path, request);
    expect([flat.status, flat.body?.code], flat.text).toEqual([status, code]);
    expect(flat.headers['content-type']).toBe('application/json');
    expect(error.safeParse(flat.body).error?.issues ?? []).toEqual([]);
    expect(flat.body.param).toBe(param);
    expect(flat.body.errors.map((each: { path: string; code: string }) => `${each.path} ${each.code}`)).toEqual(faults);
    expect(flat.body.details).toHaveLength(faults.length);
    expect(flat.body.request_id).toBe(flat.headers['x-request-id']);
    expect(flat.headers).toMatchObject(
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, expect.stringMatching(value)])),
    );
    expect(String(flat.body.retry_after ?? '')).toBe(flat.headers['retry-after'] ?? '');

    const accept = { accept: 'application/problem+json, application/json;q=0.5' };
    const other = await tenant.send(method, path, { ...request, headers: { ...request.headers, ...accept } });
    expect(other.headers['content-type']).toBe('application/problem+json');
    expect(problem.safeParse(other.body).error?.issues ?? []).toEqual([]);
    const { error: title, message: detail, request_id: _, retry_after: __, ...facts } = flat.body;
    expect(other.body).toMatchObject({ title, detail, status, ...facts });
    expect(other.headers.vary).toMatch(/\bAccept\b/);
  });
});
