import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { until } from '../options.ts';
import { dialects, endings, setUp } from './support.ts';

const withTools = { withTools: true };

describe.each(dialects)('session with %s', (dialect) => {
  it.each([
    [401, 'auth'],
    [402, 'quota'],
    [400, 'invalid_request'],
  ] as const)('fails at once when the connection is rejected with %i', async (status, fault) => {
    const { server, ended } = await setUp(dialect, { faults: [{ status }] });
    await expect(ended).rejects.toMatchObject({ fault, status, retryable: false });
    expect(server.connections).toHaveLength(0);
  });

  it('reconnects after a rate limit', async () => {
    const { server, session, events } = await setUp(dialect, { faults: [{ status: 429 }] });
    session.respond(1, withTools);
    await until(() => endings(events).length === 1);
    expect(server.connections).toHaveLength(1);
  });

  it.each([
    ['invalid_api_key', 'invalid_request_error', 'auth'],
    ['insufficient_quota', 'insufficient_quota', 'quota'],
    ['invalid_value', 'invalid_request_error', 'invalid_request'],
  ] as const)('fails when its description is rejected with %s', async (code, type, fault) => {
    const { ended } = await setUp(dialect, { faults: [{ error: { type, code }, to: 'session.update' }] });
    const error: unknown = await ended.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ fault, retryable: false });
    // The server repeats the key in its message.
    expect(inspect(error)).not.toContain('rt-key');
  });

  it('fails when the quota is used up during the call', async () => {
    const code = 'insufficient_quota';
    const { session, ended } = await setUp(dialect, {
      faults: [{ error: { type: code, code }, to: 'response.create' }],
    });
    session.respond(1, withTools);
    await expect(ended).rejects.toMatchObject({ fault: 'quota', retryable: false });
  });

  it('reconnects after each of two server errors', async () => {
    const trouble = { error: { type: 'server_error', code: null }, to: 'session.update' };
    const { server, session, events } = await setUp(dialect, { faults: [trouble, trouble] });
    session.respond(1, withTools);
    await until(() => endings(events).length === 1);
    expect(server.connections).toHaveLength(3);
  });

  it('continues after an irrelevant error', async () => {
    const { server, session, events } = await setUp(dialect, {
      faults: [{ error: { type: 'invalid_request_error', code: 'invalid_value' }, to: 'conversation.item.create' }],
    });
    session.addMessage('system', 'It rains.');
    session.respond(1, withTools);
    await until(() => endings(events).length === 1);
    expect(endings(events)).toEqual(['1 completed']);
    expect(server.connections).toHaveLength(1);
  });
});
