import { gaussian, noiseNamed, seeded } from '@va/test-servers/audio';
import { ListeningCall, type Sound } from './listening-call.ts';
import type { Policy } from './policies.ts';
import type { Recording } from './recordings.ts';
import { backchannels, interruptions, msPerLetter, noises, seed } from './settings.ts';
import type { Turn } from './turns.ts';

export interface YieldFigures {
  /** Times from the first sound of an interruption until the agent's voice is lowered or silent. */
  readonly loweredMs: readonly number[];
  /** Times from the first sound of an interruption until the agent is silent. */
  readonly silentMs: readonly number[];
  /** Interruptions that did not stop the agent. */
  readonly missed: number;
  /**
   * Results by kind of sound: how often the agent was cut off, and how often it was lowered or silent when the sound
   * ended.
   */
  readonly sounds: Readonly<
    Record<string, { readonly count: number; readonly cutOff: number; readonly paused: number }>
  >;
}

const sentence = 'Our opening hours are as follows, and there are many of them. ';
const story = sentence.repeat(Math.ceil(90_000 / msPerLetter / sentence.length));
/** Share of the full level below which the voice counts as lowered. */
const loweredShare = 0.7;
const listening = ['Uh-huh.', 'Mm-hmm.', 'Yeah.', 'Okay.', 'Right.', 'I see.'];

export async function measureYields(
  policy: Policy,
  { turns, words }: { turns: readonly Turn[]; words: readonly Recording[] },
): Promise<YieldFigures> {
  const loweredMs: number[] = [];
  const silentMs: number[] = [];
  let missed = 0;
  for (const turn of turns.filter(({ kind }) => kind === 'whole').slice(0, interruptions)) {
    const call = await storyteller(policy, turn.language);
    const onsetAtMs = call.nowMs + turn.startMs;
    let lowered: number | null = null;
    let silent: number | null = null;
    const note = (): void => {
      if (call.nowMs <= onsetAtMs) return;
      const since = (atMs: number | null): number | null => (atMs === null ? null : atMs - onsetAtMs);
      lowered ??= since(call.fellBelowAtMs(loweredShare));
      if (call.agentLevel === 0) silent ??= since(call.fellBelowAtMs(0.01));
    };
    await call.say(turn, note);
    await call.wait(1_500, () => {
      note();
      return silent !== null;
    });
    if (lowered === null || silent === null || call.cutOffs === 0) missed += 1;
    if (lowered !== null) loweredMs.push(lowered);
    if (silent !== null) silentMs.push(silent);
    await call.close();
  }
  const sounds = {
    backchannel: await overStory(policy, backchannels, async (call, i) => {
      const word = words[i % words.length];
      if (word === undefined) return;
      const text = listening[i % listening.length] ?? '';
      await call.say({ name: word.name, pcm: word.pcm, words: [{ text, endMs: word.voiced.at(-1)?.toMs ?? 0 }] });
    }),
    noise: await overStory(policy, noises, async (call, i) => await call.say(wordless(burst(i)))),
    music: await overStory(policy, 1, async (call) => await call.say(wordless(await sound('music', 30_000)))),
    keys: await overStory(policy, 1, async (call) => await call.say(wordless(await sound('keys', 8_000)))),
    'hold tone': await overStory(policy, 1, async (call) => await call.say(wordless(holdTone(20_000)))),
  };
  return { loweredMs, silentMs, missed, sounds };
}

/** Returns a call whose agent tells a long story. */
async function storyteller(policy: Policy, language: string): Promise<ListeningCall> {
  const call = await ListeningCall.open({
    policy,
    language,
    delays: 'real',
    noise: null,
    reply: () => story,
    firstMessage: story,
  });
  await call.wait(10_000, () => call.agentLevel > 0);
  await call.wait(1_000);
  return call;
}

/** Plays a sound `count` times over a long story of the agent, ten times per call. */
async function overStory(
  policy: Policy,
  count: number,
  play: (call: ListeningCall, index: number) => Promise<void>,
): Promise<{ count: number; cutOff: number; paused: number }> {
  const perCall = 10;
  let cutOff = 0;
  let paused = 0;
  for (let first = 0; first < count; first += perCall) {
    const call = await storyteller(policy, 'en');
    for (let i = first; i < Math.min(count, first + perCall); i++) {
      const before = call.cutOffs;
      await play(call, i);
      if (call.agentLevel < loweredShare) paused += 1;
      await call.wait(4_000);
      if (call.cutOffs > before) cutOff += 1;
      await call.wait(10_000, () => call.agentLevel > 0);
    }
    await call.close();
  }
  return { count, cutOff, paused };
}

function wordless(pcm: Int16Array): Sound {
  return { name: '', pcm, words: [] };
}

/** Returns a cough or a knock: a burst of noise of 100 to 400 ms that fades. */
function burst(index: number): Int16Array {
  const next = gaussian(seeded(seed + index));
  const ms = 100 + (300 * (index % 10)) / 9;
  return Int16Array.from({ length: ms * 8 }, (_, i) => 3_000 * next() * Math.exp((-3 * i) / (ms * 8)));
}

async function sound(name: 'music' | 'keys', ms: number): Promise<Int16Array> {
  const { samples, level } = await noiseNamed(name);
  return Int16Array.from({ length: ms * 8 }, (_, i) => ((samples[i % samples.length] ?? 0) * 1_500) / level);
}

/**
 * Returns a tone of 425 Hz, on for one second of four.
 * @see ITU-T E.180
 */
function holdTone(ms: number): Int16Array {
  return Int16Array.from({ length: ms * 8 }, (_, i) =>
    i % 32_000 < 8_000 ? 4_000 * Math.sin((2 * Math.PI * 425 * i) / 8_000) : 0,
  );
}
