import { checkScenario, type Scenario } from '@va/testkit/scenarios';
import { it } from 'vitest';

const interrupted: Scenario = {
  name: 'half a second of speech stops the agent, and the transcript ends with the last word that was heard',
  agent: { first_message: 'We are open from nine to five.' },
  caller: [{ says: 'on Sunday too?', fromMs: 500, toMs: 1_200, partials: [{ atMs: 1_100, text: 'on Sunday too?' }] }],
  llm: { replies: [[{ waitMs: 300 }, 'No, not then.']] },
  hangsUpAtMs: 4_000,
  expect: {
    timeline: [
      // The voice takes 50 ms for each letter; the first frame leaves 20 ms after the answer.
      { agent: 'We are open from nin', fromMs: 20, toMs: 1_000 },
      { interrupted: true, atMs: 1_000 },
      // 28 silent frames end the speech. By then the reply is ready: it was begun 200 ms into the pause.
      { turn: 'on Sunday too?', atMs: 1_760 },
      { agent: 'No, not then.', fromMs: 1_780, toMs: 2_430 },
    ],
    transcript: [{ agent: 'We are open from nine' }, { caller: 'on Sunday too?' }, { agent: 'No, not then.' }],
  },
};

it(interrupted.name, () => checkScenario(interrupted));
