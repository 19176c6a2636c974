import { calling, saying, scriptedLlm, scriptedStt } from '@va/testkit';
import { expect, it } from 'vitest';
import type { LiveEvent } from '../../src/domain/calls/live-event.ts';
import { PhoneCall } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const { keep } = phoneCalls();

it('a live call publishes the levels of both sides, and does not repeat them during silence', async () => {
  const call = keep(await PhoneCall.ring({ agent: { first_message: 'Hello.' } }));
  const watched = async (ms: number, during: () => Promise<void>): Promise<LiveEvent[]> => {
    const leaving = new AbortController();
    const events: LiveEvent[] = [];
    const stream = await call.va.operations.calls.live(call.orgId, {}, { signal: leaving.signal });
    const reading = (async () => {
      for await (const event of stream) if (event.type === 'levels') events.push(event);
    })();
    await during();
    await call.quiet(ms);
    leaving.abort();
    await call.quiet(200);
    await reading;
    return events;
  };
  const first = await watched(1_000, () => call.speak(600));
  expect(first.length).toBeGreaterThan(1);
  expect(first.some((event) => event.type === 'levels' && event.caller_db > -20)).toBe(true);
  expect(first.at(-1)).toMatchObject({ caller_db: -60, agent_db: -60 });
  // The current level is published once, and continuing silence is not.
  expect(await watched(2_000, async () => {})).toMatchObject([{ caller_db: -60, agent_db: -60 }]);
});

it('a live call publishes who has the floor, what it waits for, and the words so far', async () => {
  const look = {
    type: 'function' as const,
    name: 'look_up',
    description: 'Looks it up.',
    parameters: { type: 'object' as const },
  };
  const call = keep(
    await PhoneCall.ring({
      hasDefaultSpeech: true,
      stt: scriptedStt({ turns: ['when are you open'] }),
      llm: scriptedLlm([calling('look_up'), saying('Until ten.')]),
      agent: { first_message: 'Hello.', llm_config: { provider: 'scripted', tools: [look] } },
    }),
  );
  const leaving = new AbortController();
  const events: LiveEvent[] = [];
  const stream = await call.va.operations.calls.live(call.orgId, {}, { signal: leaving.signal });
  const reading = (async () => {
    for await (const event of stream) events.push(event);
  })();
  await call.quiet(3_000);
  await call.speak(600);
  await call.quiet(4_000);
  leaving.abort();
  await call.quiet(200);
  await reading;

  const states = events.flatMap((event) => (event.type === 'state' ? [event] : []));
  const told = states.map(({ state, waits_for, caller_speaks }) => [state, waits_for, caller_speaks].join(' '));
  expect(told).toEqual(expect.arrayContaining(['speaking  false', 'listening caller false', 'listening  true']));
  expect(told).toContain('listening end_of_turn false');
  const waiting = states.find(({ waits_for }) => waits_for === 'end_of_turn');
  expect(waiting?.remaining_ms).toBeGreaterThan(0);
  expect(events.some((event) => event.type === 'partial-transcript' && event.content.startsWith('when are'))).toBe(
    true,
  );
  expect(events.some((event) => event.type === 'agent-speech' && event.content === 'Until ten.')).toBe(true);
  expect(told.at(-1)).toBe('listening caller false');
  for (const { call_id } of events) expect(call_id).toBe((await call.stored()).id);
});
