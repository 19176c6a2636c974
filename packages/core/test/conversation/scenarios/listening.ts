import type { Scenario } from '@va/testkit/scenarios';
import { heard } from './spoken.ts';

/*
 * The default `speech_config`. The caller speaks until 2,000 in a voice without pitch, so that only words and question
 * decide: the delays follow from the weights in `turns/end-evidence.ts`.
 */
function after(says: string, turnAtMs: number, more: Partial<Scenario> & { name: string }): Scenario {
  return {
    caller: [{ says, fromMs: 1_000, toMs: 2_000 }],
    llm: { replies: [['Yes.']] },
    hangsUpAtMs: 6_000,
    expect: {
      timeline: [{ turn: says, atMs: turnAtMs }, heard('Yes.', Math.ceil(turnAtMs / 20) * 20)],
    },
    ...more,
  };
}

/** The agent asks first: its question is over before the caller speaks. */
function asked(question: string, scenario: Scenario): Scenario {
  const [turn, reply] = scenario.expect.timeline ?? [];
  if (turn === undefined || reply === undefined) throw new Error(`${scenario.name} has no turn`);
  return {
    ...scenario,
    agent: { first_message: question },
    expect: { timeline: [heard(question, 20), turn, reply] },
  };
}

export const listening: readonly Scenario[] = [
  after('Yes, please.', 2_225, { name: 'answers words that are complete by themselves after 225 ms' }),
  after('Is it open?', 2_225, { name: 'answers a question after 225 ms' }),
  after('I would like a table for two.', 2_664, { name: 'waits longer after a statement with a full stop' }),
  after('I would like a table for two', 2_664, { name: 'waits as long for a recognizer that sets no marks' }),
  after('If you want a table.', 2_830, { name: 'waits longest for a main clause' }),
  after('Hello there.', 2_828, { name: 'waits for more after two words that answer nothing' }),
  after('I would like to', 3_800, { name: 'waits 1.8 s after words that need more' }),
  after('my number is zero six', 4_160, { name: 'waits a fifth longer for digits' }),
  asked('Is it for you?', after('Sure it is for me.', 2_357, { name: 'takes a statement for an answer' })),
  asked('And your name?', after('Anna.', 2_825, { name: 'waits for a surname' })),
  asked('And your name?', after('Anna Maria Smith.', 2_664, { name: 'waits less after a whole name' })),
];
