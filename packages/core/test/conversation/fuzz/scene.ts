import fc from 'fast-check';
import type { ContextSettings } from '../../../src/domain/agents/context-settings.ts';

/** The behaviour of providers and of the far end in one conversation, as plain data that can be replayed. */
export interface Scene {
  readonly acts: readonly Act[];
  readonly replies: readonly Reply[];
  readonly speech: Record<string, unknown> & { readonly interruption: { readonly lower_db: number } };
  /** Smaller than an agent can configure, so that the budget is exceeded after a few turns. */
  readonly context: ContextSettings;
  readonly recognizer: { readonly delayMs: number; readonly noiseEvery: number; readonly judgesTurns: boolean };
  readonly synthesizer: {
    readonly delayMs: number;
    readonly chunkBytes: number;
    readonly breakEvery: number;
    readonly muteEvery: number;
  };
  readonly toolDelayMs: number;
  /** The message of the endCall tool; null when the model has to say goodbye. */
  readonly goodbye: string | null;
  /** The outcome and delay of each transfer; null when the line cannot transfer. */
  readonly transfer: { readonly type: 'accepted' | 'refused' | 'throws' | 'silent'; readonly delayMs: number } | null;
  /** Answers of the turn model, which a policy then follows; null without one. */
  readonly turnModel: FuzzTurnModel | null;
  /** Latency of a remote media plane and whether it runs the VAD itself; null when it runs on the main thread. */
  readonly media: { readonly delayMs: number; readonly judges: boolean } | null;
  /** The most that the call may cost; a token and a character cost 1, and a minute 60. Null for no limit. */
  readonly maxCost: number | null;
  /** True for an outbound call, which starts with answering-machine detection. */
  readonly isPlaced: boolean;
}

/** A probability, an invalid value, or a failure, after a time that may exceed the deadline. */
export interface FuzzTurnModel {
  readonly answer: number | 'throws';
  readonly delayMs: number;
  readonly usesText: boolean;
}

export type Act =
  | { readonly kind: 'speak' | 'quiet' | 'nothing'; readonly ms: number }
  | { readonly kind: 'words'; readonly text: string; readonly final: boolean }
  /** The STT revises its transcript. */
  | { readonly kind: 'revision'; readonly first: string; readonly afterMs: number; readonly last: string }
  | { readonly kind: 'judgment'; readonly type: 'turn-started' | 'turn-ending' | 'turn-resumed' | 'turn-ended' }
  | { readonly kind: 'key'; readonly digit: string }
  | { readonly kind: 'say'; readonly interruptible: boolean; readonly endAfter: boolean }
  | { readonly kind: 'context'; readonly wantsReply: boolean }
  | { readonly kind: 'mute'; readonly isMuted: boolean }
  | { readonly kind: 'take-over'; readonly isTakenOver: boolean }
  | { readonly kind: 'transfer'; readonly mode: 'blind' | 'warm'; readonly message: string | null }
  | { readonly kind: 'hold'; readonly held: boolean; readonly listens: boolean }
  | { readonly kind: 'end'; readonly message: string | null }
  | { readonly kind: 'leave' }
  /** An event of work that was cancelled long ago. */
  | { readonly kind: 'stale'; readonly what: 'llm' | 'tts' | 'tool' | 'prediction'; readonly id: number };

/** A reply of the model, in order: text, a pause, a tool call, the tokens that it used, a failure. */
export type Reply = readonly (
  | { readonly text: string }
  | { readonly pauseMs: number }
  | { readonly call: string; readonly id: string; readonly args: string }
  | { readonly tokens: number }
  | { readonly fails: 'once' | 'for good' }
)[];

const ms = (max: number): fc.Arbitrary<number> => fc.integer({ min: 1, max: max / 20 }).map((ticks) => ticks * 20);

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ kind: fc.constantFrom('speak', 'quiet', 'nothing', 'nothing'), ms: ms(1_400) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('words'),
      text: fc.constantFrom(
        'well',
        'well then',
        'uh-huh',
        'I would like to',
        'If you like.',
        'yeah',
        'no wait',
        'my number is zero six',
        'Is it open?',
        '',
      ),
      final: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('revision'),
      first: fc.constantFrom('Book a table.', 'Is it open?'),
      afterMs: ms(500),
      last: fc.constantFrom('Book a table for two.', 'No.'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('judgment'),
      type: fc.constantFrom('turn-started', 'turn-ending', 'turn-resumed', 'turn-ended'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('key'), digit: fc.constantFrom(...'12#*') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('say'),
      interruptible: fc.boolean(),
      endAfter: fc.constantFrom(false, false, false, true),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('context'), wantsReply: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('mute'), isMuted: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('take-over'), isTakenOver: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('hold'), held: fc.boolean(), listens: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('transfer'),
      mode: fc.constantFrom('blind', 'warm'),
      message: fc.constantFrom(null, 'One moment please.'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('stale'),
      what: fc.constantFrom('llm', 'llm', 'tts', 'tool', 'prediction'),
      id: fc.integer({ min: 0, max: 6 }),
    }),
  },
);

const farewell: fc.Arbitrary<Act> = fc.oneof(
  fc.constant<Act>({ kind: 'leave' }),
  fc.record({ kind: fc.constant('end'), message: fc.constantFrom(null, 'Goodbye then.') }),
);

const call = fc.record({
  call: fc.constantFrom('lookup', 'lookup', 'later', 'nothing', 'endCall', 'transferCall'),
  id: fc.constantFrom('a', 'b'),
  args: fc.constantFrom('{}', '{"destination":"+31201"}', '{"destination":"+31666"}', '{"x"', '[]'),
});

const part = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      text: fc.constantFrom('Yes. ', 'One moment please, let me see. ', 'First this. Then that. '),
    }),
  },
  { weight: 2, arbitrary: fc.record({ pauseMs: ms(1_200) }) },
  {
    weight: 1,
    arbitrary: call,
  },
  { weight: 1, arbitrary: fc.record({ tokens: fc.constantFrom(0, 7, 40) }) },
  { weight: 1, arbitrary: fc.record({ fails: fc.constantFrom('once', 'once', 'for good') }) },
);

/** Chat models often call a tool without any text. */
const reply: fc.Arbitrary<Reply> = fc.oneof(
  { weight: 5, arbitrary: fc.array(part, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.array(call, { minLength: 1, maxLength: 2 }) },
);

export const sceneArbitrary: fc.Arbitrary<Scene> = fc
  .record({
    middle: fc.array(act, { minLength: 1, maxLength: 12 }),
    last: fc.option(farewell, { nil: null, freq: 3 }),
    replies: fc.array(reply, { minLength: 1, maxLength: 5 }),
    speech: fc.record({
      normalize_text: fc.constant(false),
      interruption: fc.record({
        enabled: fc.constantFrom(true, true, true, false),
        min_words: fc.constantFrom(0, 0, 2),
        // The heard part of a lowered voice cannot be read from its samples.
        lower_db: fc.constantFrom(0, 0, 12),
        min_duration_ms: fc.constantFrom(100, 250, 500),
        resume_after_ms: fc.constantFrom(0, 700, 2_000),
        during_tools: fc.boolean(),
        ignore_backchannels: fc.boolean(),
        echo_warmup_ms: fc.constantFrom(0, 1_000),
        mute_strategies: fc.constantFrom(
          [],
          [],
          [],
          ['first_speech'],
          ['until_first_bot_complete'],
          ['function_call'],
          ['always'],
        ),
      }),
      endpointing: fc.record({
        preset: fc.constantFrom('quick', 'balanced', 'patient'),
        mode: fc.constantFrom('adaptive', 'adaptive', 'fixed'),
        max_turn_ms: fc.constantFrom(0, 3_000),
      }),
      preemptive: fc.record({ enabled: fc.boolean(), stable_ms: fc.constantFrom(0, 200) }),
      filler: fc.record({ phrases: fc.constantFrom([], ['Just a second.']), delay_ms: fc.constantFrom(0, 800) }),
      dtmf: fc.record({ max_digits: fc.constantFrom(0, 2) }),
      first_message_interruptible: fc.boolean(),
      unrecognized: fc.record({
        timeout_ms: fc.constantFrom(10_000, 1_000, 0),
        min_speech_ms: fc.constantFrom(1_500, 100),
      }),
    }),
    context: fc.record({
      max_tokens: fc.constantFrom(8_000, 8_000, 60, 25),
      keep_last_turns: fc.constantFrom(1, 2),
      summarize: fc.constantFrom(true, true, false),
    }),
    recognizer: fc.record({
      delayMs: fc.constantFrom(0, 0, 150, 4_000),
      noiseEvery: fc.constantFrom(0, 2, 3),
      judgesTurns: fc.constantFrom(false, false, true),
    }),
    synthesizer: fc.record({
      delayMs: fc.constantFrom(0, 60, 600),
      // None is a multiple of the frame size.
      chunkBytes: fc.constantFrom(100_000, 1_333, 641),
      breakEvery: fc.constantFrom(0, 0, 3),
      muteEvery: fc.constantFrom(0, 0, 5),
    }),
    toolDelayMs: fc.constantFrom(0, 700, 12_000),
    goodbye: fc.constantFrom('Bye.', null),
    transfer: fc.option(
      fc.record({
        type: fc.constantFrom('accepted', 'refused', 'refused', 'throws', 'silent'),
        delayMs: fc.constantFrom(0, 400, 3_000),
      }),
      { nil: null },
    ),
    turnModel: fc.option(
      fc.record({
        answer: fc.constantFrom(0.1, 0.9, 0.9, 7, 'throws' as const),
        delayMs: fc.constantFrom(0, 30, 70),
        usesText: fc.boolean(),
      }),
      { nil: null },
    ),
    media: fc.option(fc.record({ delayMs: fc.constantFrom(0, 1, 7, 130), judges: fc.boolean() }), {
      nil: null,
      freq: 2,
    }),
    maxCost: fc.constantFrom(null, null, null, 30, 120),
    isPlaced: fc.constantFrom(false, false, true),
  })
  .map(({ middle, last, ...rest }) => ({ ...rest, acts: last === null ? middle : [...middle, last] }));
