import { type ScriptedWebCall, saying, scriptedLlm } from '@va/testkit';
import { expect, it } from 'vitest';
import { PhoneCall } from '../../support/phone-call.ts';
import { phoneCalls } from '../../support/phone-calls.ts';

const { keep } = phoneCalls();

async function prepared(agent: object = {}): Promise<PhoneCall> {
  const call = keep(
    new PhoneCall({
      llm: scriptedLlm([saying('It is on Friday.')]),
      service: { publicUrl: 'https://voice.example.com', mediaTimeout: { initialMs: 1e9, generalMs: 1e9 } },
    }),
  );
  await call.prepare({ speech_config: { silence: { timeout_ms: 600_000 } }, ...agent });
  return call;
}

async function tokenOf(call: PhoneCall, input: object = {}): Promise<{ token: string; call_id: string }> {
  return await call.va.operations.calls.createWebCall(call.orgId, { agent_id: call.agent?.id ?? '', ...input });
}

async function ringing(call: PhoneCall, token: string): Promise<ScriptedWebCall> {
  const web = await call.telephony.ringWeb(token);
  if (web === null) throw new Error('the token was refused');
  await call.clock.advance(0);
  return web;
}

it('web call › is stored without numbers, with variables and metadata of its token', async () => {
  const call = await prepared({ first_message: 'Hello {{name}}.' });
  const { token, call_id } = await tokenOf(call, { variables: { name: 'Jan' }, metadata: { page: '/pricing' } });
  const web = await ringing(call, token);
  await call.nothing(3_000);
  const record = await call.va.operations.calls.get(call.orgId, call_id);
  expect(record).toMatchObject({
    direction: 'web',
    status: 'in-progress',
    caller_phone: null,
    assistant_phone: null,
    number_id: null,
    variables: { name: 'Jan' },
    metadata: { page: '/pricing' },
  });
  web.leave();
  await call.nothing(2_000);
  const { logs } = await call.va.operations.usage.list(call.orgId);
  expect(logs).toMatchObject([{ call_id, call_type: 'web', direction: 'web' }]);
});

it('web call › shows states, words and the end', async () => {
  const call = await prepared({ first_message: 'Hello.' });
  const web = await ringing(call, (await tokenOf(call)).token);
  await call.nothing(2_000);
  web.type('When is it?');
  await call.nothing(4_000);
  await call.va.operations.calls.control(call.orgId, (await call.stored()).id, { type: 'end-call' });
  await call.nothing(1_000);
  expect(web.shown.filter(({ type }) => type !== 'latency')).toEqual([
    { type: 'state', state: 'thinking' },
    { type: 'state', state: 'speaking' },
    { type: 'agent-text', text: 'Hello.' },
    { type: 'state', state: 'listening' },
    { type: 'agent-heard', text: 'Hello.', interrupted: false },
    { type: 'state', state: 'thinking' },
    { type: 'user-text', text: 'When is it?', isFinal: true },
    { type: 'state', state: 'speaking' },
    { type: 'agent-text', text: 'It is on Friday.' },
    { type: 'state', state: 'listening' },
    { type: 'agent-heard', text: 'It is on Friday.', interrupted: false },
    { type: 'ended', reason: 'api_hangup' },
  ]);
});

it('web call token › is used once', async () => {
  const call = await prepared();
  const { token } = await tokenOf(call);
  const [first, second] = await Promise.all([call.telephony.ringWeb(token), call.telephony.ringWeb(token)]);
  expect([first, second].filter((web) => web !== null)).toHaveLength(1);
});

it('web call token › expires after 60 s', async () => {
  const call = await prepared();
  const { token } = await tokenOf(call);
  await call.nothing(60_100);
  expect(await call.telephony.ringWeb(token)).toBeNull();
});

it('web call token › is refused when its agent was deleted', async () => {
  const call = await prepared();
  const { token } = await tokenOf(call);
  await call.va.operations.agents.delete(call.orgId, call.agent?.id ?? '');
  expect(await call.telephony.ringWeb(token)).toBeNull();
});

it('web call › is refused and recorded beyond the concurrency limit', async () => {
  const call = await prepared();
  const tokens = [await tokenOf(call), await tokenOf(call)];
  await call.va.operations.organizations.update(call.orgId, { concurrency_limit: 1 });
  await ringing(call, tokens[0]?.token ?? '');
  const second = await ringing(call, tokens[1]?.token ?? '');
  await call.nothing(100);
  expect(second.rejected).toBe('busy');
  expect(await call.va.operations.calls.get(call.orgId, tokens[1]?.call_id ?? '')).toMatchObject({
    status: 'failed',
    end_reason: 'concurrency_limit_exceeded',
  });
});

const origin = 'https://www.example.com';

async function tokenOfPage(call: PhoneCall, limits: object): Promise<{ token: string; call_id: string }> {
  const { calls, publishableKeys } = call.va.operations;
  const agents = [call.agent?.id ?? ''];
  const publishableKey = await publishableKeys.create(call.orgId, {
    name: 'Site',
    agents,
    origins: [origin],
    ...limits,
  });
  return await calls.createWebCall(call.orgId, { agent_id: agents[0] ?? '' }, { publishableKey, origin });
}

it('web call with a publishable key › ends after the longest duration of the key', async () => {
  const call = await prepared({ max_duration_seconds: 600 });
  const { token, call_id } = await tokenOfPage(call, { max_call_seconds: 30 });
  await call.telephony.ringWeb(token, origin);
  await call.nothing(40_000);
  const ended = await call.va.operations.calls.get(call.orgId, call_id);
  expect(ended).toMatchObject({ end_reason: 'max_duration', duration_seconds: 30 });
  const { logs } = await call.va.operations.usage.list(call.orgId);
  expect(logs).toMatchObject([{ call_id, publishable_key_id: ended.publishable_key_id, duration_seconds: 30 }]);
});

it('web call with a publishable key › ends after the longest duration of the agent if that is less', async () => {
  const call = await prepared({ max_duration_seconds: 20 });
  const { token, call_id } = await tokenOfPage(call, { max_call_seconds: 30 });
  await call.telephony.ringWeb(token, origin);
  await call.nothing(25_000);
  const ended = await call.va.operations.calls.get(call.orgId, call_id);
  expect(ended).toMatchObject({ end_reason: 'max_duration', duration_seconds: 20 });
});

it('web call with a publishable key › ends when the minutes of the key are used up', async () => {
  const call = await prepared({ max_duration_seconds: 600 });
  const { token, call_id } = await tokenOfPage(call, { max_call_seconds: 300, minutes_per_day: 1 });
  await call.telephony.ringWeb(token, origin);
  await call.nothing(70_000);
  const ended = await call.va.operations.calls.get(call.orgId, call_id);
  expect(ended).toMatchObject({ end_reason: 'max_duration', duration_seconds: 60 });
});
