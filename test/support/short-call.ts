import { createSipCaller, type SipCall } from '@va/testkit/sip-caller';
import { expect } from 'vitest';
import { tone } from '../../packages/media/test/support/sound.ts';
import type { TestService } from './service.ts';

/** What the scripted agent takes for speech. */
export const callerSound = tone(400);

export interface CallOptions {
  readonly transport?: 'udp' | 'tcp';
  /** How long the agent must be silent to have finished. */
  readonly silenceMs?: number;
}

/** Calls the scripted agent and hears its first message out. */
export async function callAgent(
  service: TestService,
  { transport = 'udp', silenceMs = 300 }: CallOptions = {},
): Promise<SipCall> {
  const call = await createSipCaller().dial(service.uri(transport), { transport });
  await call.waitForSpeech();
  await call.waitForSilence({ ms: silenceMs });
  return call;
}

/** Says something and hears the reply out; returns when it began. */
export async function exchange(call: SipCall): Promise<number> {
  const { endedAtMs } = await call.say(callerSound);
  const repliedAtMs = await call.waitForSpeech({ afterMs: endedAtMs });
  await call.waitForSilence({ ms: 300 });
  return repliedAtMs;
}

/** Proves that the service takes calls as before: one with a turn, ended by the caller. */
export async function expectFreshCallToWork(service: TestService): Promise<void> {
  const before = service.calls.length;
  const call = await callAgent(service);
  await exchange(call);
  await call.hangup();
  const record = await service.ended(before + 1);
  expect(record).toMatchObject({ status: 'ended', end_reason: 'user_hangup' });
  expect(record.messages.map(({ role }) => role)).toEqual(['assistant', 'user', 'assistant']);
}
