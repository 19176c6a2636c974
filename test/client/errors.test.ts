import { routes } from '@va/http';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { ApiError, ConnectionError, type ErrorCode, type KnownErrorCode } from '../../packages/client/src/index.ts';
import { clientOf, thrownBy } from '../../packages/client/test/support/client-of.ts';
import { hangUp, hold, json, startServer } from '../../packages/client/test/support/scripted-server.ts';
import { errorCodes } from '../../packages/http/src/openapi/error-codes.ts';
import type { Route } from '../../packages/http/src/route/route.ts';

const noRetries = { retry: { limit: 0 } };

describe('the errors of the client', () => {
  it('tell what the service says', async () => {
    const errors = [{ path: 'phone_number', code: 'invalid_phone_number', message: 'expected E.164' }];
    const refusal = {
      error: 'Bad Request',
      code: 'invalid_phone_number',
      message: 'No.',
      param: 'phone_number',
      errors,
    };
    const { baseUrl } = await startServer(json(400, { ...refusal, request_id: 'r1' }, { 'x-request-id': 'r1' }));
    const error = await thrownBy(clientOf(baseUrl).numbers.register({ phone_number: '1' }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      name: 'ApiError',
      status: 400,
      code: 'invalid_phone_number',
      message: 'No.',
      param: 'phone_number',
      errors,
      requestId: 'r1',
      retryAfterMs: null,
    });
  });

  it('tell when to come back, given in seconds or as a date', async () => {
    const { baseUrl } = await startServer(
      json(429, {}, { 'retry-after': '7' }),
      json(429, {}, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }),
      json(429, {}, { 'retry-after': 'soon' }),
    );
    const client = clientOf(baseUrl, noRetries);
    const waits: unknown[] = [];
    for (let n = 0; n < 3; n += 1) {
      const error = await thrownBy(client.agents.list());
      waits.push(error instanceof ApiError ? error.retryAfterMs : error);
    }
    expect(waits).toEqual([7_000, expect.any(Number), null]);
    expect(waits[1]).toBeGreaterThan(3_500_000);
  });

  it('keep the status of an answer that is not the service’s own', async () => {
    const { baseUrl } = await startServer(
      (response) => response.writeHead(418).end('<html>'),
      json(418, ['no', 'error']),
      json(418, { errors: [{ path: 1 }, 'text', null] }),
    );
    const client = clientOf(baseUrl);
    for (let n = 0; n < 3; n += 1) {
      const facts = { status: 418, code: 'http_418', param: null, errors: [], requestId: null };
      expect(await thrownBy(client.agents.list())).toMatchObject(facts);
    }
  });

  it('say that there was no answer, or none in time, or none to read', async () => {
    const { baseUrl } = await startServer(
      hold,
      (response) => response.writeHead(200).write('{"agents":'),
      (response) => response.end('<html>'),
      hangUp,
      (response) => response.writeHead(200).write('{"agents":', () => response.destroy()),
    );
    const client = clientOf(baseUrl, { ...noRetries, timeoutMs: 200 });
    for (const code of ['timeout', 'timeout', 'invalid_answer', 'connection', 'connection']) {
      const error = await thrownBy(client.agents.list());
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error).toMatchObject({ name: 'ConnectionError', code });
    }
    const nowhere = clientOf('http://127.0.0.1:1', noRetries);
    expect(await thrownBy(nowhere.agents.list())).toMatchObject({ code: 'connection', cause: expect.any(Error) });
  });

  it('are not made of ids: one that is another path is refused before it is sent', async () => {
    const { baseUrl, received } = await startServer(json(200, { agent: {} }));
    const client = clientOf(baseUrl);
    for (const id of ['', '.', '..']) expect(await thrownBy(client.agents.delete(id))).toBeInstanceOf(TypeError);
    await client.agents.get('../numbers?x=1#y');
    expect(received.map(({ url }) => url)).toEqual(['/voice/api/v1/agents/..%2Fnumbers%3Fx%3D1%23y']);
  });

  it('have every code that the service tells of among those that are known', () => {
    const told = Object.values(routes)
      .flatMap((group) => Object.values<Route>(group))
      .flatMap((route) => [...errorCodes(route).values()].flat());
    expect([...new Set(told)].filter((code) => !(code in known))).toEqual([]);
    expectTypeOf<KnownErrorCode>().toExtend<ErrorCode>();
    expectTypeOf<string>().toExtend<ErrorCode>();
  });
});

/** A code that is missing here, or too much, does not compile. */
const known: Readonly<Record<KnownErrorCode, true>> = {
  agent_inactive: true,
  agent_incomplete: true,
  agent_not_found: true,
  analysis_template_not_found: true,
  api_key_expired: true,
  api_key_not_found: true,
  api_key_revoked: true,
  body_too_large: true,
  byok_key_not_found: true,
  call_active: true,
  call_not_active: true,
  call_not_found: true,
  call_taken_over: true,
  campaign_invalid_transition: true,
  campaign_not_editable: true,
  campaign_not_found: true,
  concurrency_limit_exceeded: true,
  destination_not_allowed: true,
  do_not_call_not_found: true,
  domain_exists: true,
  domain_not_found: true,
  duplicate_lead: true,
  forbidden: true,
  idempotency_in_progress: true,
  idempotency_key_reused: true,
  insufficient_credits: true,
  internal_error: true,
  invalid_csv: true,
  invalid_field: true,
  invalid_json: true,
  invalid_phone_number: true,
  invalid_reference: true,
  invalid_timezone: true,
  invalid_tool_template: true,
  lead_in_progress: true,
  lead_not_found: true,
  method_not_allowed: true,
  minutes_used_up: true,
  missing_field: true,
  no_outbound_number: true,
  no_trunk: true,
  not_supported_in_realtime: true,
  no_webhook_url: true,
  number_in_use: true,
  number_not_allowed: true,
  organization_not_found: true,
  phone_number_exists: true,
  phone_number_not_found: true,
  provider_error: true,
  provider_timeout: true,
  publishable_key_not_found: true,
  range_not_satisfiable: true,
  rate_limit_exceeded: true,
  recording_not_found: true,
  recording_not_readable: true,
  route_not_found: true,
  sip_trunk_not_found: true,
  too_many_api_keys: true,
  too_many_ringing_calls: true,
  too_many_streams: true,
  too_many_tools: true,
  tool_exists: true,
  tool_needs_call: true,
  tool_not_found: true,
  tool_template_not_found: true,
  too_many_variables: true,
  transfer_in_progress: true,
  unauthorized: true,
  unavailable: true,
  unknown_field: true,
  unsupported_media_type: true,
  webhook_delivery_not_found: true,
};
