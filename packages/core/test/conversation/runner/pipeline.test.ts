import { type ScriptedReply, saying, scriptedLlm, silentLogger, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { EventQueue } from '../../../src/async/event-queue.ts';
import { pause } from '../../../src/async/pause.ts';
import { Pipeline, type PipelineOptions } from '../../../src/conversation/runner/pipeline.ts';
import type { EventInput } from '../../../src/conversation/runner/runner.ts';
import type { VoiceEffect } from '../../../src/conversation/state/effects.ts';
import { ProviderError } from '../../../src/errors.ts';
import type { LlmEvent } from '../../../src/ports/providers/language-model.ts';
import type { SttEvent } from '../../../src/ports/providers/speech-to-text.ts';
import type { TtsEvent } from '../../../src/ports/providers/text-to-speech.ts';
import { untyped } from '../../support/untyped.ts';
import { audio, open, playoutCalls, type SpokenUtterance, speak, start, voiceOf, watchedBy } from './pipeline-parts.ts';

const down = new ProviderError('vendor', 'unavailable', 'overloaded');

let clock: VirtualClock;
let over: AbortController;
let heard: EventQueue<SttEvent>;
let dispatched: EventInput[];
let spoken: SpokenUtterance[];
/** Calls of playout, recognizer and watch, in order. */
let log: string[];
let warned: string[];
let failsToSpeak: Error | null;

beforeEach(() => {
  clock = new VirtualClock();
  over = new AbortController();
  heard = new EventQueue();
  [dispatched, spoken, log, warned, failsToSpeak] = [[], [], [], [], null];
});

function pipeline(replies: readonly ScriptedReply[] = [], parts: Partial<PipelineOptions> = {}) {
  const llm = scriptedLlm(replies);
  const speaker = (voice: string) => voiceOf(voice, spoken, () => failsToSpeak);
  const calls = (name: string) => (value?: unknown) => void log.push(value === undefined ? name : `${name} ${value}`);
  const options: PipelineOptions = {
    runner: untyped({ dispatch: (event: EventInput) => void dispatched.push(event) }),
    stt: Object.assign(heard, {
      send() {},
      close() {},
      speechStarted: calls('speech started'),
      finalize: calls('finalize'),
    }),
    llm,
    llmKey: { apiKey: 'own', orgId: 'org-1' },
    llmConfig: { provider: 'scripted', model: 'large', messages: [], tools: [] },
    tools: [{ type: 'endCall' }],
    tts: speaker('anna'),
    ttsIn: speaker,
    playout: untyped({
      ...playoutCalls(calls),
      play: (id: number, audio: Uint8Array) => void log.push(`play ${id} ${audio.length}`),
    }),
    bytesPerMs: 8,
    muteCaller: calls('mute'),
    runTool: async () => ({ ok: true, result: 'found' }),
    clock,
    logger: { ...silentLogger, warn: (_fields, message) => void warned.push(message) },
    signal: over.signal,
    watched: watchedBy(() => log),
    ...parts,
  };
  const made = new Pipeline(options);
  const handle = async (...effects: VoiceEffect[]): Promise<void> => {
    for (const effect of effects) made.handle(effect);
    await clock.advance(0);
  };
  return { handle, llm };
}

const words = [{ text: 'Hi', startMs: 0, endMs: 200 }];

async function hear(...events: SttEvent[]): Promise<void> {
  for (const event of events) heard.push(event);
  await clock.advance(0);
}

async function say(utterance: SpokenUtterance | undefined, ...events: TtsEvent[]): Promise<void> {
  for (const event of events) utterance?.events.push(event);
  await clock.advance(0);
}

describe('the recognizer', () => {
  it('reports words as those of the oldest part that it has not finalized', async () => {
    const { handle } = pipeline();
    await hear({ type: 'partial', text: 'a' });
    await handle({ type: 'finalize-stt', part: 1, awaited: [] }, { type: 'finalize-stt', part: 2, awaited: [1] });
    await hear({ type: 'partial', text: 'a b' }, { type: 'final', text: 'a b', language: 'en' }, { type: 'finalized' });
    await hear({ type: 'final', text: 'c' }, { type: 'finalized' }, { type: 'finalized' });
    expect(dispatched).toEqual([
      { type: 'stt-partial', part: null, text: 'a' },
      { type: 'stt-partial', part: 1, text: 'a b' },
      { type: 'stt-final', part: 1, text: 'a b', language: 'en' },
      { type: 'stt-finalized', part: 1 },
      { type: 'stt-final', part: 2, text: 'c' },
      { type: 'stt-finalized', part: 2 },
      { type: 'stt-finalized', part: null },
    ]);
    expect(log).toEqual(['finalize', 'finalize']);
  });

  it('skips parts whose words are no longer awaited', async () => {
    const { handle } = pipeline();
    await handle({ type: 'finalize-stt', part: 1, awaited: [] }, { type: 'finalize-stt', part: 2, awaited: [] });
    await hear({ type: 'finalized' });
    expect(dispatched).toEqual([{ type: 'stt-finalized', part: 2 }]);
  });

  it('reports the start and the end of a turn', async () => {
    pipeline();
    await hear({ type: 'turn-started' }, { type: 'turn-ended' });
    expect(dispatched).toEqual([
      { type: 'turn-judged', judgment: 'turn-started' },
      { type: 'turn-judged', judgment: 'turn-ended' },
    ]);
  });

  it('reports its failure', async () => {
    pipeline();
    heard.fail(down);
    await clock.advance(0);
    expect(dispatched).toEqual([{ type: 'stt-failed', message: 'vendor: overloaded' }]);
    expect([log, warned]).toEqual([['failed stt ears'], ['speech-to-text failed']]);
  });

  it('reports the end of its stream as a failure', async () => {
    pipeline();
    heard.end();
    await clock.advance(0);
    expect(dispatched).toEqual([{ type: 'stt-failed', message: 'The recognizer ended its stream.' }]);
  });
});

describe('a request to the model', () => {
  it('has the conversation, its tools, and the key of the organization', async () => {
    const { handle, llm } = pipeline([saying('Hello.')]);
    await handle(start(1), start(2, false));
    expect(llm.requests).toMatchObject([
      {
        apiKey: 'own',
        orgId: 'org-1',
        config: { model: 'large' },
        messages: [{ role: 'user', content: 'Hi' }],
        tools: [{ name: 'endCall' }],
      },
      { tools: [] },
    ]);
  });

  it('dispatches text and tool calls as they arrive', async () => {
    const call = { id: 'c-1', name: 'lookup', arguments: '{}' };
    const usage = { type: 'usage' as const, usage: { inputTokens: 3, outputTokens: 5 } };
    const { handle } = pipeline([[...saying('One '), ...saying('two.'), { type: 'tool-call', call }, usage]]);
    await handle(start(7));
    expect(dispatched).toEqual([
      { type: 'llm-text', generation: 7, text: 'One ' },
      { type: 'llm-text', generation: 7, text: 'two.' },
      { type: 'llm-tool-call', generation: 7, call },
      { type: 'llm-done', generation: 7 },
    ]);
    expect(log).toEqual(['begin llm large', 'used llm 5', 'ended llm']);
  });

  it.each([
    ['is temporary', down, true],
    ['is permanent', new ProviderError('vendor', 'auth', 'wrong key'), false],
    ['is no provider error', new Error('no such field'), false],
  ])('dispatches a failure that %s, and whether it can be retried', async (_what, error, retryable) => {
    const { handle } = pipeline([[...saying('One '), error]]);
    await handle(start(1));
    expect(dispatched.at(-1)).toEqual({ type: 'llm-failed', generation: 1, retryable, message: error.message });
    expect(log).toEqual(['begin llm large', 'failed llm request', 'failed llm brain', 'ended llm']);
    expect(warned).toEqual(['language model failed']);
  });

  it('dispatches nothing after its cancellation', async () => {
    const { handle, llm } = pipeline([[100, ...saying('Late.')]]);
    await handle(start(1), start(2), { type: 'cancel-llm', generation: 1 });
    await clock.advance(100);
    expect(llm.requests.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    expect(dispatched).toEqual([
      { type: 'llm-text', generation: 2, text: 'Late.' },
      { type: 'llm-done', generation: 2 },
    ]);
  });

  it('dispatches nothing after its cancellation even if the model continues', async () => {
    async function* stream(): AsyncGenerator<LlmEvent> {
      for (const text of ['One ', 'two.']) {
        await pause(100, clock);
        yield { type: 'text', text };
      }
    }
    const { handle } = pipeline([], { llm: { ...scriptedLlm([]), stream } });
    await handle(start(1));
    await clock.advance(100);
    await handle({ type: 'cancel-llm', generation: 1 });
    await clock.advance(100);
    expect(dispatched).toEqual([{ type: 'llm-text', generation: 1, text: 'One ' }]);
    expect(log.at(-1)).toBe('ended llm');
  });
});

describe('an utterance', () => {
  it('is played as its audio arrives, and reports its words', async () => {
    const { handle } = pipeline();
    await handle(open(1), speak(1, 'Hi.'), speak(1, ' You.'), { type: 'end-utterance', utterance: 1 });
    const [first] = spoken;
    expect([first?.pushed, first?.hasEnded, first?.fixed, first?.voice]).toEqual([
      ['Hi.', ' You.'],
      true,
      false,
      'anna',
    ]);
    await say(first, { type: 'words', words }, audio(160), audio(80));
    first?.events.end();
    await clock.advance(0);
    expect(dispatched).toEqual([
      { type: 'tts-words', utterance: 1, words },
      { type: 'tts-audio', utterance: 1, durationMs: 20 },
      { type: 'tts-audio', utterance: 1, durationMs: 10 },
      { type: 'tts-done', utterance: 1 },
    ]);
    expect(log).toEqual(['open 1', 'begin tts', 'play 1 160', 'play 1 80', 'ended tts']);
  });

  it('dispatches its failure, and whether it can be retried', async () => {
    const { handle } = pipeline();
    await handle(open(1), speak(1, 'Hi.'));
    spoken[0]?.events.fail(down);
    await clock.advance(0);
    expect(dispatched).toEqual([{ type: 'tts-failed', utterance: 1, retryable: true, message: 'vendor: overloaded' }]);
    expect(log).toEqual(['open 1', 'begin tts', 'failed tts request', 'failed tts mouth', 'ended tts']);
  });

  it('dispatches a failure if the synthesizer cannot start it', async () => {
    const { handle } = pipeline();
    failsToSpeak = down;
    await handle(open(1), speak(1, 'Hi.'));
    expect(dispatched).toEqual([{ type: 'tts-failed', utterance: 1, retryable: true, message: 'vendor: overloaded' }]);
  });

  it('plays nothing after its cancellation even if the synthesizer continues', async () => {
    const { handle } = pipeline();
    await handle(open(1), speak(1, 'Hi.'));
    Object.assign(spoken[0] ?? {}, { cancel: () => void log.push('cancelled') });
    await handle({ type: 'cancel-utterance', utterance: 1 });
    await say(spoken[0], audio(160));
    expect([dispatched, log]).toEqual([[], ['open 1', 'begin tts', 'cancelled', 'ended tts']]);
  });

  it('has the voice of the new language if it is opened after the switch', async () => {
    const { handle } = pipeline();
    await handle(open(1), { type: 'set-language', language: 'nl' }, open(2));
    expect(spoken.map(({ voice }) => voice)).toEqual(['anna', 'nl']);
  });

  it('has the previous voice if the voice of the new language cannot be opened', async () => {
    const ttsIn = () => {
      throw down;
    };
    const { handle } = pipeline([], { ttsIn });
    await handle({ type: 'set-language', language: 'nl' }, open(1));
    expect([spoken[0]?.voice, warned]).toEqual(['anna', ['failed to open the voice of a language']]);
  });
});

describe('speech that is prepared', () => {
  it('is used by an utterance that begins with its text, including the audio so far', async () => {
    const { handle } = pipeline();
    await handle({ type: 'prepare-speech', text: 'Hi.' });
    await say(spoken[0], audio(160));
    expect([spoken[0]?.pushed, log]).toEqual([['Hi.'], []]);
    await handle(open(1), speak(1, 'Hi.'), speak(1, ' You.'));
    expect(spoken).toHaveLength(1);
    expect(spoken[0]?.pushed).toEqual(['Hi.', ' You.']);
    expect(log).toEqual(['open 1', 'begin tts', 'play 1 160']);
  });

  it('is dropped by an utterance that begins with another text', async () => {
    const { handle } = pipeline();
    await handle({ type: 'prepare-speech', text: 'Hi.' }, open(1), speak(1, 'Hello.'));
    expect(spoken.map(({ pushed, cancelled }) => [pushed, cancelled])).toEqual([
      [['Hi.'], 1],
      [['Hello.'], 0],
    ]);
  });

  it('is kept for the next utterance when a fixed text is spoken', async () => {
    const { handle } = pipeline();
    await handle({ type: 'prepare-speech', text: 'Hi.' }, open(1, true), speak(1, 'Please hold.'));
    await handle(open(2), speak(2, 'Hi.'));
    expect(spoken.map(({ pushed, fixed, cancelled }) => [pushed, fixed, cancelled])).toEqual([
      [['Hi.'], false, 0],
      [['Please hold.'], true, 0],
    ]);
  });

  it('is replaced by another, and dropped on request', async () => {
    const { handle } = pipeline();
    await handle({ type: 'prepare-speech', text: 'Hi.' }, { type: 'prepare-speech', text: 'Hello.' });
    await handle({ type: 'drop-speech' });
    expect(spoken.map(({ cancelled }) => cancelled)).toEqual([1, 1]);
    await handle(open(1), speak(1, 'Hello.'));
    expect(spoken).toHaveLength(3);
  });

  it('is kept when an utterance is cancelled before its first text', async () => {
    const { handle } = pipeline();
    await handle({ type: 'prepare-speech', text: 'Hi.' }, open(1), { type: 'cancel-utterance', utterance: 1 });
    await handle(speak(1, 'Hi.'));
    expect([spoken.length, spoken[0]?.cancelled]).toEqual([1, 0]);
    await handle(open(2), speak(2, 'Hi.'));
    expect(spoken).toHaveLength(1);
  });

  it('reports its failure only when an utterance uses it', async () => {
    const { handle } = pipeline();
    await handle({ type: 'prepare-speech', text: 'Hi.' });
    spoken[0]?.events.fail(down);
    await clock.advance(0);
    expect(dispatched).toEqual([]);
    await handle(open(1), speak(1, 'Hi.'));
    expect(dispatched).toMatchObject([{ type: 'tts-failed', utterance: 1 }]);
  });

  it('is synthesized by its utterance if it could not be started before', async () => {
    const { handle } = pipeline();
    failsToSpeak = down;
    await handle({ type: 'prepare-speech', text: 'Hi.' });
    failsToSpeak = null;
    await handle(open(1), speak(1, 'Hi.'));
    expect([spoken[0]?.pushed, dispatched]).toEqual([['Hi.'], []]);
  });
});

it('forwards playout and recognizer effects to the playout and the recognizer', async () => {
  const { handle } = pipeline();
  await handle(
    ...[{ type: 'finish-playout' as const, utterance: 3 }, { type: 'clear-playout' as const }],
    ...[{ type: 'pause-playout' as const }, { type: 'resume-playout' as const }],
    ...[
      { type: 'set-voice-level' as const, db: -6 },
      { type: 'set-hold' as const, isOnHold: true },
    ],
    ...[{ type: 'set-taken-over' as const, isTakenOver: true }, { type: 'stt-speech-started' as const }],
    { type: 'caller-muted', isMuted: true },
  );
  expect(log).toEqual([
    'finish 3',
    'clear',
    'pause',
    'resume',
    'level -6',
    'hold true',
    'taken over true',
    'speech started',
    'mute true',
  ]);
});

describe('the end of the call', () => {
  it('cancels requests and utterances, and dispatches nothing more', async () => {
    const { handle, llm } = pipeline([[100, ...saying('Late.')]]);
    await handle(start(1), open(1), speak(1, 'Hi.'), { type: 'prepare-speech', text: 'Next.' });
    over.abort();
    heard.push({ type: 'partial', text: 'a' });
    await say(spoken[0], audio(160));
    await clock.advance(200);
    expect(llm.requests[0]?.signal.aborted).toBe(true);
    expect(spoken.map(({ cancelled }) => cancelled)).toEqual([1, 1]);
    expect([dispatched, warned]).toEqual([[], []]);
  });

  it('cancels the other utterances if one throws when it is cancelled', async () => {
    const { handle } = pipeline();
    await handle(open(1), open(2));
    const [first, second] = spoken;
    if (first !== undefined) {
      first.cancel = () => {
        throw new Error('already closed');
      };
    }
    over.abort();
    expect([second?.cancelled, warned]).toEqual([1, ['an utterance could not be cancelled']]);
  });
});
