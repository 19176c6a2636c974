import { createSipCaller, type SipCall } from '@va/testkit/sip-caller';
import type { NodeSlot } from './nodes.ts';

export interface CallerOptions {
  readonly slots: readonly NodeSlot[];
  readonly dialed: string;
  readonly key: string;
  readonly random: () => number;
}

/** The actions of one caller and their results. */
export interface CallStory {
  readonly phone: string;
  isAnswered: boolean;
  /** The id of the call, if it was found. */
  callId: string | null;
  /** The sentence that the agent was asked to say once, if any. */
  sentence: string | null;
  /** True if a request reported the command as done. */
  isCommandDone: boolean;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Calls a node, talks for a while, sends a command to random nodes, and ends the call in a random way. */
export async function callOnce(options: CallerOptions, n: number): Promise<CallStory> {
  const { random, slots, dialed } = options;
  const story: CallStory = {
    phone: `+316${String(10_000_000 + n)}`,
    ...{ isAnswered: false, callId: null, sentence: null, isCommandDone: false },
  };
  const slot = oneOf(slots, random);
  const giveUp = AbortSignal.timeout(4_000);
  let call: SipCall;
  try {
    const from = `<sip:${story.phone}@127.0.0.1>`;
    call = await createSipCaller().dial(`sip:${dialed}@127.0.0.1:${slot.sipPort}`, { from, signal: giveUp });
  } catch {
    return story;
  }
  story.isAnswered = true;
  await pause(100 + 900 * random());
  if (random() < 0.5) await command(options, story, n);
  await pause(900 * random());
  const way = random();
  if (way < 0.25 && story.callId !== null) await send(options, story.callId, { type: 'end-call' });
  if (way > 0.92) await call.vanish();
  else await Promise.race([call.hangup(), pause(3_000).then(() => call.vanish())]);
  return story;
}

/** Sends the same command to two nodes at the same time. */
async function command(options: CallerOptions, story: CallStory, n: number): Promise<void> {
  const found = await request(options, `/calls?phone=${encodeURIComponent(story.phone)}`);
  story.callId = found?.body?.calls?.[0]?.id ?? null;
  if (story.callId === null) return;
  story.sentence = `This is sentence number ${n}.`;
  const say = { type: 'say', content: story.sentence, command_id: `say-${n}` };
  const answers = await Promise.all([send(options, story.callId, say), send(options, story.callId, say)]);
  story.isCommandDone = answers.includes(200);
}

async function send(options: CallerOptions, callId: string, json: object): Promise<number> {
  return (await request(options, `/calls/${callId}/control`, json))?.status ?? 0;
}

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever JSON came
  readonly body: any;
}

/** Returns null when the node is down or does not respond. */
async function request({ slots, key, random }: CallerOptions, path: string, json?: object): Promise<Answer | null> {
  const { httpPort } = oneOf(slots, random);
  try {
    const response = await fetch(`http://127.0.0.1:${httpPort}/api/v1${path}`, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(12_000),
      ...(json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }),
    });
    return { status: response.status, body: await response.json() };
  } catch {
    return null;
  }
}

function oneOf<T>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('expected at least one element');
  return item;
}
