import {
  checkScenario,
  compareTimeline,
  InvalidScenario,
  playScenario,
  type Scenario,
  ScenarioMismatch,
} from '@va/testkit/scenarios';
import { describe, expect, it } from 'vitest';

const greeting: Scenario = {
  name: 'greets',
  agent: { first_message: 'Hello there.' },
  hangsUpAtMs: 2_000,
  expect: { timeline: [{ agent: 'Hello there.', fromMs: 20, toMs: 620 }], transcript: [{ agent: 'Hello there.' }] },
};

function expecting(expected: Partial<Scenario['expect']>): Scenario {
  return { ...greeting, expect: { ...greeting.expect, ...expected } };
}

describe('checkScenario', () => {
  it('passes when the result is as expected', async () => {
    const { entries } = await checkScenario(greeting);
    expect(entries).toEqual(greeting.expect.timeline);
  });

  it.each<[string, Partial<Scenario['expect']>]>([
    ['a millisecond', { timeline: [{ agent: 'Hello there.', fromMs: 20, toMs: 621 }] }],
    ['a letter', { timeline: [{ agent: 'Hello there!', fromMs: 20, toMs: 620 }] }],
    ['an unexpected entry', { timeline: [] }],
    ['a missing entry', { timeline: [...greeting.expect.timeline, { interrupted: true, atMs: 700 }] }],
    ['the end', { ended: { atMs: 2_000, reason: 'agent_hangup' } }],
    ['the transcript', { transcript: [{ caller: 'Hello there.' }] }],
    ['the requests', { requests: [{ atMs: 0, last: 'hi' }] }],
    ['the latency', { latency: [{ total_ms: 1 }] }],
    ['the interruptions', { interruptionsMs: [500] }],
    ['the session', { session: [{ type: 'commit' }] }],
  ])('fails when the result differs in %s', async (_name, expected) => {
    await expect(checkScenario(expecting(expected))).rejects.toThrow(ScenarioMismatch);
  });

  it('shows differences side by side, in two columns', async () => {
    const scenario = expecting({
      timeline: [
        { agent: 'Hello there.', fromMs: 40, toMs: 640 },
        { turn: 'hi', atMs: 700 },
      ],
    });
    expect(compareTimeline(scenario, await playScenario(scenario))?.split('\n')).toEqual([
      '"greets" had another result.',
      'timeline:',
      '  expected                    | actual',
      '> 40–640  agent: Hello there. | 20–620  agent: Hello there.',
      '> 700  turn: hi               |',
      '  2000  ended: user_hangup    | 2000  ended: user_hangup',
    ]);
  });

  it('compares only the expected fields of figures', async () => {
    const scenario: Scenario = {
      ...greeting,
      caller: [{ says: 'Is it open?', fromMs: 800, toMs: 1_200 }],
      llm: { replies: [['Yes.']] },
      expect: {
        timeline: [
          ...greeting.expect.timeline,
          { turn: 'Is it open?', atMs: 1_425 },
          { agent: 'Yes.', fromMs: 1_440, toMs: 1_640 },
        ],
        latency: [{ total_ms: 240 }],
      },
    };
    await checkScenario(scenario);
  });

  it('rejects sound that is not in whole frames, and a command that the service rejects', async () => {
    const odd: Scenario = { ...greeting, caller: [{ noise: true, fromMs: 10, toMs: 95 }] };
    await expect(playScenario(odd)).rejects.toThrow(InvalidScenario);
    const refused: Scenario = { ...greeting, control: [{ atMs: 100, command: { type: 'send-dtmf', digits: 'x' } }] };
    await expect(playScenario(refused)).rejects.toMatchObject({ status: 400 });
  });

  it('is deterministic', async () => {
    const scenario: Scenario = {
      ...greeting,
      caller: [{ says: 'tell me more about it please', fromMs: 300, toMs: 1_500 }],
      llm: { replies: [['One. ', { waitMs: 130 }, 'Two.'], ['Three.']] },
      tts: { firstByteMs: 170, pace: 'realtime' },
      hangsUpAtMs: 6_000,
    };
    expect(await playScenario(scenario)).toEqual(await playScenario(scenario));
  });
});
