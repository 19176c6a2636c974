import { tone } from '@va/test-servers/audio';
import { createSipCaller, type SipCall } from '@va/testkit/sip-caller';
import { expect } from 'vitest';
import type { TestService } from './service.ts';

/** A sound that the scripted agent treats as speech. */
export const callerSound = tone(400);

export interface CallOptions {
  readonly transport?: 'udp' | 'tcp';
  /** The duration of silence after which the agent has finished. */
  readonly silenceMs?: number;
}

/** Calls the scripted agent and listens to its whole first message. */
export async function callAgent(
  service: TestService,
  { transport = 'udp', silenceMs = 300 }: CallOptions = {},
): Promise<SipCall> {
  const call = await createSipCaller().dial(service.uri(transport), { transport });
  await call.waitForSpeech();
  await call.waitForSilence({ ms: silenceMs });
  return call;
}

/** Speaks and listens to the whole reply; returns when the reply began. */
export async function exchange(call: SipCall): Promise<number> {
  const { endedAtMs } = await call.say(callerSound);
  const repliedAtMs = await call.waitForSpeech({ afterMs: endedAtMs });
  await call.waitForSilence({ ms: 300 });
  return repliedAtMs;
}

/** Expects the service to take a new call normally: one turn, ended by the caller. */
export async function expectFreshCallToWork(service: TestService): Promise<void> {
  const before = service.calls.length;
  const call = await callAgent(service);
  await exchange(call);
  await call.hangup();
  const record = await service.ended(before + 1);
  expect(record).toMatchObject({ status: 'ended', end_reason: 'user_hangup' });
  expect(record.messages.map(({ role }) => role)).toEqual(['assistant', 'user', 'assistant']);
}
