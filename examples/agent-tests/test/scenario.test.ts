import { checkScenario, type Scenario } from '@va/testkit/scenarios';
import { it } from 'vitest';

const interrupted: Scenario = {
  name: 'a quarter of a second of speech stops the agent, and the transcript ends with the last word heard',
  agent: { first_message: 'We are open from nine to five.' },
  caller: [{ says: 'on Sunday too?', fromMs: 500, toMs: 1_200, partials: [{ atMs: 1_100, text: 'on Sunday too?' }] }],
  llm: { replies: [[{ waitMs: 300 }, 'No, not then.']] },
  hangsUpAtMs: 4_000,
  expect: {
    timeline: [
      // The voice takes 50 ms for each letter; the first frame leaves 20 ms after the answer.
      { agent: 'We are open fro', fromMs: 20, toMs: 760 },
      { interrupted: true, atMs: 750 },
      // A question is whole: the wait is 225 ms. The model has been at work since 100 ms into the pause.
      { turn: 'on Sunday too?', atMs: 1_425 },
      { agent: 'No, not then.', fromMs: 1_620, toMs: 2_270 },
    ],
    transcript: [{ agent: 'We are open from' }, { caller: 'on Sunday too?' }, { agent: 'No, not then.' }],
  },
};

it(interrupted.name, () => checkScenario(interrupted));
