import { callerFrame, type ScriptedWebCall, saying, scriptedLlm, scriptedRealtime, scriptedStt } from '@va/testkit';
import { expect, it } from 'vitest';
import { handedBack } from '../../src/conversation/transfer/take-over.ts';
import type { SupervisionMode } from '../../src/domain/calls/supervision.ts';
import { PhoneCall, type PhoneCallOptions } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const { keep } = phoneCalls();

/** A frame that neither the caller nor the agent sends. */
const personFrame = new Uint8Array(160).fill(0x21);

async function answered(options: PhoneCallOptions = {}): Promise<PhoneCall> {
  const { service, agent, ...rest } = options;
  return keep(
    await PhoneCall.ring({
      stt: scriptedStt({ turns: ['where is my parcel', 'and tomorrow'] }),
      llm: scriptedLlm([saying('It is on Friday.'), saying('Not tomorrow.')]),
      ...rest,
      agent: { first_message: 'Hello.', speech_config: { silence: { timeout_ms: 20_000, prompts: [] } }, ...agent },
      service: { publicUrl: 'https://voice.example.com', ...service },
    }),
  );
}

async function callId(call: PhoneCall): Promise<string> {
  return (await call.stored()).id;
}

async function joined(call: PhoneCall, mode: SupervisionMode): Promise<ScriptedWebCall> {
  const { token } = await call.va.operations.calls.supervise(call.orgId, await callId(call), mode);
  const person = await call.telephony.ringWeb(token);
  if (person === null) throw new Error('the token was refused');
  await call.quiet(20);
  return person;
}

/** Lets time pass while the person speaks. */
async function personSpeaks(call: PhoneCall, person: ScriptedWebCall, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 20) {
    person.hear(personFrame);
    await call.quiet(20);
  }
}

function frames(sent: readonly Uint8Array[], code: number): number {
  return sent.filter((frame) => frame.every((each) => each === code)).length;
}

it('a listener hears the caller and the agent, and neither hears the listener', async () => {
  const call = await answered();
  const person = await joined(call, 'listen');
  await call.quiet(1_000);
  await call.speak(400);
  await personSpeaks(call, person, 400);
  const heard = person.sent.filter((frame) => frame.some((code) => code !== 0xff));
  const agentSaid = call.agentFrames();
  expect(agentSaid).toBeGreaterThan(5);
  // The caller's speech of 20 frames, and the agent's, which do not overlap here.
  expect(heard.length).toBeGreaterThanOrEqual(agentSaid + 19);
  expect(frames(call.incoming.sent, 0x21)).toBe(0);
  // The listener does not count as a call.
  expect((await call.va.operations.calls.list(call.orgId)).calls).toHaveLength(1);
  expect(await call.va.load()).toMatchObject({ activeCalls: 1 });
});

it('a person who takes over speaks in the place of the agent, which hears and does not answer', async () => {
  const call = await answered();
  await call.quiet(2_000);
  const person = await joined(call, 'talk');
  const before = call.incoming.sent.length;
  await personSpeaks(call, person, 600);
  await call.speak(600);
  await call.quiet(3_000);
  expect(frames(call.incoming.sent.slice(before), 0x21)).toBeGreaterThan(25);
  expect(call.agentFrames(before)).toBe(frames(call.incoming.sent.slice(before), 0x21));
  expect(call.llm.requests).toHaveLength(0);
  // The person hears the caller.
  expect(person.sent.some((frame) => frame.every((code) => code === callerFrame(true)[0]))).toBe(true);
  const { messages } = await call.va.operations.calls.get(call.orgId, await callId(call));
  expect(messages.at(-1)).toEqual({ role: 'user', content: 'where is my parcel' });

  person.leave();
  await call.quiet(1_000);
  expect(call.llm.requests).toHaveLength(0);
  await call.speak(600);
  await call.quiet(3_000);
  expect(call.llm.requests).toHaveLength(1);
  expect(call.llm.requests[0]?.messages.map(({ role, content }) => [role, content]).slice(-3)).toEqual([
    ['user', 'where is my parcel'],
    ['system', handedBack],
    ['user', 'and tomorrow'],
  ]);
  const taken = call.events.flatMap(({ type, data }) => (type === 'take-over' ? [data] : []));
  expect(taken).toEqual([{ status: 'started' }, { status: 'ended' }]);
});

it('a take-over cuts the agent off, and only what was heard is in the transcript', async () => {
  const call = await answered({ agent: { first_message: 'Hello, this is a long sentence of the agent.' } });
  await call.quiet(600);
  const person = await joined(call, 'talk');
  const before = call.incoming.sent.length;
  await call.quiet(1_000);
  expect(call.agentFrames(before)).toBe(0);
  person.leave();
  await call.quiet(100);
  const { messages } = await call.va.operations.calls.get(call.orgId, await callId(call));
  expect(messages).toHaveLength(1);
  expect('Hello, this is a long sentence of the agent.'.startsWith(messages[0]?.content ?? '-')).toBe(true);
  expect(messages[0]?.content.length).toBeLessThan(30);
});

it('a take-over silences a speech-to-speech model until the call is handed back', async () => {
  const call = await answered({
    realtime: scriptedRealtime({ turns: ['a', 'b'], responses: [saying('One.'), saying('Two.')] }),
    agent: { stt_config: null, tts_config: null, llm_config: { provider: 'scripted_realtime' }, first_message: null },
  });
  await call.quiet(500);
  const person = await joined(call, 'talk');
  await call.speak(600);
  await call.quiet(3_000);
  expect(call.agentFrames()).toBe(0);
  person.leave();
  await call.quiet(200);
  await call.speak(600);
  await call.quiet(3_000);
  expect(call.agentFrames()).toBeGreaterThan(0);
});

it('during a take-over, silence does not end the call, and say and transfer commands are refused', async () => {
  const call = await answered();
  await call.quiet(2_000);
  const person = await joined(call, 'talk');
  await call.quiet(25_000);
  expect((await call.stored()).status).toBe('in-progress');
  const { control } = call.va.operations.calls;
  const id = await callId(call);
  const refused = { status: 409, code: 'call_taken_over' };
  await expect(control(call.orgId, id, { type: 'say', content: 'Hi.' })).rejects.toMatchObject(refused);
  const transfer = { type: 'transfer' as const, destination: '+31201234567' };
  await expect(control(call.orgId, id, transfer)).rejects.toMatchObject(refused);
  expect(person.end).toBeNull();
});

it('a call that ends by command plays its last message, and disconnects supervisors with the reason', async () => {
  const call = await answered();
  await call.quiet(2_000);
  const [listener, person] = [await joined(call, 'listen'), await joined(call, 'talk')];
  const before = call.incoming.sent.length;
  await call.va.operations.calls.control(call.orgId, await callId(call), { type: 'end-call', message: 'Goodbye.' });
  await call.quiet(3_000);
  expect(call.agentFrames(before)).toBeGreaterThan(5);
  expect((await call.stored()).end_reason).toBe('api_hangup');
  expect(listener.shown.at(-1)).toEqual({ type: 'ended', reason: 'api_hangup' });
  expect([listener.end, person.end]).toEqual([{ cause: 'local-hangup' }, { cause: 'local-hangup' }]);
});

it('a call accepts one take-over at a time, and at most five supervisors', async () => {
  const call = await answered();
  await call.quiet(2_000);
  const people = [await joined(call, 'talk')];
  const second = await joined(call, 'talk');
  expect(second.end).toEqual({ cause: 'local-hangup' });
  for (let n = 0; n < 4; n++) people.push(await joined(call, 'listen'));
  const sixth = await joined(call, 'listen');
  expect(sixth.end).toEqual({ cause: 'local-hangup' });
  expect(people.map(({ end }) => end)).toEqual([null, null, null, null, null]);
  people[1]?.leave();
  await call.quiet(20);
  expect((await joined(call, 'listen')).end).toBeNull();
});

it('a person whose connection is lost hands the call back after three seconds', async () => {
  const call = await answered();
  await call.quiet(2_000);
  const person = await joined(call, 'talk');
  person.sending = false;
  await call.quiet(2_900);
  expect(person.end).toBeNull();
  await call.quiet(200);
  expect(person.end).toEqual({ cause: 'local-hangup' });
  await call.speak(600);
  await call.quiet(3_000);
  expect(call.llm.requests).toHaveLength(1);
});

it('a call is joined with a token of its own, once, while it is in progress', async () => {
  const call = await answered();
  await call.quiet(500);
  const { supervise } = call.va.operations.calls;
  const id = await callId(call);
  const { token } = await supervise(call.orgId, id, 'listen');
  const both = await Promise.all([call.telephony.ringWeb(token), call.telephony.ringWeb(token)]);
  expect(both.filter((person) => person !== null)).toHaveLength(1);
  const late = await supervise(call.orgId, id, 'listen');
  await call.quiet(61_000);
  expect(await call.telephony.ringWeb(late.token)).toBeNull();
  await expect(supervise('00000000-0000-4000-8000-000000000000', id, 'listen')).rejects.toMatchObject({ status: 404 });
  call.incoming.leave();
  await call.quiet(1_000);
  await expect(supervise(call.orgId, id, 'listen')).rejects.toMatchObject({ status: 409, code: 'call_not_active' });
});

it('at most fifty unused tokens of an organization exist', async () => {
  const call = await answered();
  await call.quiet(500);
  const { supervise } = call.va.operations.calls;
  const id = await callId(call);
  for (let n = 0; n < 50; n++) await supervise(call.orgId, id, 'listen');
  await expect(supervise(call.orgId, id, 'listen')).rejects.toMatchObject({ status: 429 });
});

it('concurrent requests get at most fifty unused tokens together', async () => {
  const call = await answered();
  await call.quiet(500);
  const { supervise } = call.va.operations.calls;
  const id = await callId(call);
  const requests = Array.from({ length: 60 }, () => supervise(call.orgId, id, 'listen'));
  const answers = await Promise.allSettled(requests);
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
});
