import { ScriptedWebhooks, sampleAgent, sampleCall, silentLogger, VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { emptyAssistant } from '../../../src/calls/assistant.ts';
import { CallWebhooks, type CallWebhooksOptions } from '../../../src/calls/webhooks/call-webhooks.ts';
import type { FunctionTool } from '../../../src/domain/agents/tools/tool.ts';
import type { WebhookDispatcher, WebhookOutcome } from '../../../src/ports/webhooks.ts';
import { organizationOf, orgId } from '../../operations/support.ts';

const clock = new VirtualClock();
const call = sampleCall({ id: 'call-1' });
const signal = new AbortController().signal;
const agentUrl = 'https://agent.test/hook';
const agent = sampleAgent({ id: 'agent-1', webhook_url: agentUrl });
const organization = { ...organizationOf(orgId, clock), webhook_url: 'https://org.test/hook', webhook_secret: 'org' };

function webhooksOf(options: Partial<CallWebhooksOptions> = {}) {
  const dispatcher = new ScriptedWebhooks();
  const warnings: string[] = [];
  const logger = { ...silentLogger, warn: (_fields: object, message: string) => void warnings.push(message) };
  const webhooks = new CallWebhooks({
    dispatcher,
    organization,
    agent,
    numberName: null,
    isRealtime: () => false,
    clock,
    logger,
    ...options,
  });
  return { dispatcher, webhooks, warnings };
}

const wanting = { ...agent, webhook_events: ['assistant-request' as const] };

describe('askForAssistant', () => {
  it('asks the server of the agent, and returns its answer', async () => {
    const { dispatcher, webhooks } = webhooksOf({ agent: wanting });
    dispatcher.answer = () => ({ assistantId: 'agent-2' });
    expect(await webhooks.askForAssistant(call, signal)).toEqual({ assistantId: 'agent-2' });
    expect(dispatcher.messages).toMatchObject([
      { event: 'assistant-request', target: { url: agentUrl }, agentId: 'agent-1', callId: 'call-1' },
    ]);
  });

  it('asks the server of the organization for a number without an agent', async () => {
    const { dispatcher, webhooks } = webhooksOf({ agent: null });
    dispatcher.answer = () => ({});
    expect(await webhooks.askForAssistant(call, signal)).toEqual({});
    expect(dispatcher.messages).toMatchObject([{ target: { url: 'https://org.test/hook', secret: 'org' } }]);
  });

  it.each<[string, Partial<CallWebhooksOptions>]>([
    ['an agent that does not want to be asked', { agent }],
    ['an agent that wants other events', { agent: { ...agent, webhook_events: ['status-update'] } }],
    ['nobody with a server', { agent: null, organization: { ...organization, webhook_url: null } }],
  ])('does not ask for %s', async (_whom, options) => {
    const { dispatcher, webhooks } = webhooksOf(options);
    expect(await webhooks.askForAssistant(call, signal)).toBeNull();
    expect(dispatcher.messages).toEqual([]);
  });

  it.each<[string, WebhookOutcome]>([
    ['times out', { ok: false, reason: 'timeout', status: null, message: 'late', latencyMs: 5_000 }],
    ['answers no object', { ok: true, status: 200, body: [1], latencyMs: 1 }],
  ])('returns null, and warns, if the server %s', async (_what, outcome) => {
    const { dispatcher, webhooks, warnings } = webhooksOf({ agent: wanting });
    dispatcher.outcome = () => outcome;
    expect(await webhooks.askForAssistant(call, signal)).toBeNull();
    expect(warnings).toEqual(['no usable answer to assistant-request; using the saved agent']);
  });

  it('keeps the valid parts of an answer, and warns about the others', async () => {
    const { dispatcher, webhooks, warnings } = webhooksOf({ agent: wanting });
    dispatcher.answer = () => ({ maxDurationSeconds: 60, assistantId: 7 });
    expect(await webhooks.askForAssistant(call, signal)).toEqual({ maxDurationSeconds: 60 });
    expect(warnings).toEqual(['ignored invalid parts of the answer to assistant-request']);
    expect(dispatcher.ignored.join()).toContain('assistantId');
  });
});

describe('runTool', () => {
  const tool: FunctionTool = {
    type: 'function',
    name: 'book',
    description: '',
    parameters: {},
    async: false,
  };
  const request = { id: 'call-book', name: 'book', arguments: '{"people":2}' };

  async function run(outcome: WebhookOutcome | Error, running = tool, options: Partial<CallWebhooksOptions> = {}) {
    const { dispatcher, webhooks } = webhooksOf(options);
    dispatcher.outcome = () => {
      if (outcome instanceof Error) throw outcome;
      return outcome;
    };
    const result = await webhooks.runTool(call, request, running, { people: 2 }, signal);
    return { result, dispatcher };
  }

  const answered = (body: unknown): WebhookOutcome => ({ ok: true, status: 200, body, latencyMs: 1 });
  const failed = (changes: Partial<Extract<WebhookOutcome, { ok: false }>>): WebhookOutcome => ({
    ok: false,
    reason: 'status',
    status: 500,
    message: 'status 500',
    latencyMs: 1,
    ...changes,
  });

  it('returns the result of the server', async () => {
    const { result, dispatcher } = await run(answered({ result: 'booked' }));
    expect(result).toEqual({ ok: true, result: 'booked' });
    expect(dispatcher.of('tool-calls')).toMatchObject([{ toolCallList: [{ function: { arguments: { people: 2 } } }] }]);
  });

  it('asks the server of the tool before that of the agent', async () => {
    const own = { ...tool, server: { url: 'https://tool.test/book', secret: 'tool' } };
    const { dispatcher } = await run(answered({}), own);
    expect(dispatcher.messages).toMatchObject([{ target: own.server }]);
  });

  it.each<[string, WebhookOutcome, string]>([
    ['a timeout', failed({ reason: 'timeout', status: null }), 'timeout: no answer within 10 seconds'],
    ['a broken connection', failed({ reason: 'network', status: null, message: 'ECONNRESET' }), 'ECONNRESET'],
    ['an error status with a text', failed({ body: { error: 'The day is full.' } }), 'The day is full.'],
    ['an error status without one', failed({ status: 503 }), 'the server answered 503'],
    [
      'an error status for other calls',
      failed({ body: { results: [{ toolCallId: 'x', result: 1 }] } }),
      'the server answered 500',
    ],
  ])('fails after %s', async (_what, outcome, error) => {
    expect((await run(outcome)).result).toEqual({ ok: false, error });
  });

  it('fails without a server, and sends nothing', async () => {
    const nowhere = { agent: null, organization: { ...organization, webhook_url: null } };
    const { result, dispatcher } = await run(answered({}), tool, nowhere);
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining('has no URL') });
    expect(dispatcher.messages).toEqual([]);
  });

  it('survives a dispatcher that throws', async () => {
    const dispatcher: WebhookDispatcher = Object.assign(new ScriptedWebhooks(), {
      request: () => Promise.reject(new Error('the dispatcher is closed')),
    });
    const { webhooks } = webhooksOf({ dispatcher });
    const result = await webhooks.runTool(call, request, tool, {}, signal);
    expect(result).toEqual({ ok: false, error: 'the dispatcher is closed' });
  });
});

describe('webhooks of the status', () => {
  const ended = sampleCall({ id: 'call-1', status: 'ended', end_reason: 'user_hangup' });
  const eventsOf = (options: Partial<CallWebhooksOptions>, reportsLater = false): string[] =>
    webhooksOf(options)
      .webhooks.ended(ended, { reportsLater })
      .map(({ event }) => event);

  it('are a status update and a report at the end', () => {
    expect(eventsOf({})).toEqual(['status-update', 'end-of-call-report']);
  });

  it('leave out the report if it is sent after the analysis', () => {
    expect(eventsOf({}, true)).toEqual(['status-update']);
  });

  it('are limited to the webhook_events of the agent', () => {
    expect(eventsOf({ agent: { ...agent, webhook_events: ['end-of-call-report'] } })).toEqual(['end-of-call-report']);
    const { webhooks } = webhooksOf({ agent: { ...agent, webhook_events: ['end-of-call-report'] } });
    expect(webhooks.statusUpdate(call)).toEqual([]);
  });

  it('are none without a server', () => {
    expect(eventsOf({ agent: null, organization: { ...organization, webhook_url: null } })).toEqual([]);
  });

  it('have the resolved configuration', () => {
    const { webhooks } = webhooksOf();
    expect(webhooks.statusUpdate(call)[0]?.message).not.toHaveProperty('assistant');
    webhooks.resolved(agent, { ...emptyAssistant, name: 'Anna' });
    expect(webhooks.statusUpdate(call)[0]?.message).toMatchObject({ assistant: { name: 'Anna' } });
    expect(webhooks.reportPlan(ended)).toMatchObject({ assistant: { name: 'Anna' } });
  });
});

describe('resolved', () => {
  const urlAfter = (from: typeof agent | null, to: typeof agent | null): string | undefined => {
    const { webhooks } = webhooksOf({ agent: from });
    webhooks.resolved(to, emptyAssistant);
    return webhooks.statusUpdate(call)[0]?.target.url;
  };
  const other = sampleAgent({ id: 'agent-2', webhook_url: 'https://other.test/hook' });
  const silent = sampleAgent({ id: 'agent-3', webhook_url: null });

  it('sends later webhooks to the agent that takes the call', () => {
    expect(urlAfter(agent, other)).toBe('https://other.test/hook');
  });

  it('keeps the server that named an agent without a server of its own', () => {
    expect(urlAfter(agent, silent)).toBe(agentUrl);
    expect(urlAfter(null, silent)).toBe('https://org.test/hook');
  });
});

describe('a webhook of a call whose agent was given with the call', () => {
  it('has no agent id', () => {
    const { webhooks } = webhooksOf({ agent: { ...agent, id: call.id } });
    expect(webhooks.statusUpdate(call)[0]?.agentId).toBeNull();
  });
});
