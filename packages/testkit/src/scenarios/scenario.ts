import type { EndReason, NewAgent, NewControlCommand, ProviderFault, SttEvent, TurnLatency } from '@va/core';
import type { ScriptedTransfer } from '../scripted/transferring-leg.ts';

/**
 * A conversation as data: what the caller, the providers, the customer's server and whoever controls the call do, and
 * what has to come of it. All times are virtual milliseconds since the call was answered.
 *
 * The caller's sound goes in frames of 20 ms: the times of `says`, `noise` and `beeps` are multiples of it, and a frame
 * arrives when its last sample was spoken. The agent's frames leave each 20 ms too, just before the caller's arrive, so
 * that a reply which is ready at 2,160 is heard from 2,180 on.
 */
export interface Scenario {
  /** What it shows, in a sentence. */
  readonly name: string;
  /** The body of POST /agents, over an agent without a first message whose providers are the script's. */
  readonly agent?: ScenarioAgent;
  /** What the caller does, in order of time; between it there is silence. */
  readonly caller?: readonly CallerAct[];
  readonly stt?: SttScript;
  readonly llm?: LlmScript;
  readonly tts?: TtsScript;
  /** A speech-to-speech model in the place of all three. */
  readonly realtime?: RealtimeScript;
  /** What the customer's server answers, tool by tool and call by call; the last answer of a tool repeats. */
  readonly tools?: Readonly<Record<string, readonly ToolAnswer[]>>;
  /** Commands given to the running call, in order of time. */
  readonly control?: readonly ControlAct[];
  /** What comes of transfers, one after the other; without it the line cannot transfer. */
  readonly transfers?: readonly ScriptedTransfer[];
  /** When the caller hangs up, if the call has not ended before. */
  readonly hangsUpAtMs: number;
  readonly expect: ScenarioExpectation;
}

/** As POST /agents takes it; the nested configurations need not name their provider. */
export type ScenarioAgent = Omit<Partial<NewAgent>, 'stt_config' | 'llm_config' | 'tts_config'> & {
  readonly stt_config?: Readonly<Record<string, unknown>>;
  readonly llm_config?: Readonly<Record<string, unknown>>;
  readonly tts_config?: Readonly<Record<string, unknown>>;
};

/** Words, spread evenly over their time. The recognizer settles those that were said when it is asked. */
export interface Saying {
  readonly says: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** What the recognizer makes of it meanwhile. */
  readonly partials?: readonly { readonly atMs: number; readonly text: string }[];
}

export type CallerAct =
  | Saying
  /** Sound as loud as speech, without words. */
  | { readonly noise: true; readonly fromMs: number; readonly toMs: number }
  /** The tone of an answering machine, 1 kHz. */
  | { readonly beeps: true; readonly fromMs: number; readonly toMs: number }
  /** No frames at all come from the far end. */
  | { readonly sendsNothing: true; readonly fromMs: number; readonly toMs: number }
  /** Keys, one each `everyMs` (200 by default) from `atMs` on. */
  | { readonly presses: string; readonly atMs: number; readonly everyMs?: number };

export interface SttScript {
  /** From the request to settle the words to the words. 0 by default. */
  readonly settlesAfterMs?: number;
  /** Whether it tells by itself when turns end: `events` then has the `turn-…` events. */
  readonly judgesTurns?: boolean;
  /** What it tells beside the words of the caller's acts. */
  readonly events?: readonly { readonly atMs: number; readonly event: SttEvent }[];
  /** It is lost at this time. */
  readonly fails?: { readonly atMs: number; readonly fault: ProviderFault };
  readonly fallbacks?: readonly Omit<SttScript, 'fallbacks'>[];
}

/** A part of a reply: text as it is streamed, a pause, a tool call, or a failure. */
export type ReplyPart =
  | string
  | { readonly waitMs: number }
  /** `text` are arguments as the model wrote them, where they are no JSON object. The id is `call-<n>` by default. */
  | { readonly calls: string; readonly args?: Record<string, unknown>; readonly text?: string; readonly id?: string }
  | { readonly fails: ProviderFault }
  /** Nothing more ever comes. */
  | { readonly stalls: true };

export interface LlmScript {
  /** The replies, one for each request. One more request than that fails. */
  readonly replies: readonly (readonly ReplyPart[])[];
  readonly fallbacks?: readonly Omit<LlmScript, 'fallbacks'>[];
}

export interface TtsScript {
  /** How long each letter sounds, whichever. 50 by default. */
  readonly msPerLetter?: number;
  /** From a text to its first sound. 0 by default. */
  readonly firstByteMs?: number;
  /** Whether the sound of a text comes at once (the default) or as fast as it sounds. */
  readonly pace?: 'burst' | 'realtime';
  /** Whether it tells where in the sound its words lie. True by default. */
  readonly timings?: boolean;
  /** It fails before any sound: always, or the utterances given (0 is the first). */
  readonly refuses?: { readonly fault: ProviderFault; readonly utterances?: readonly number[] };
  /** It fails in the middle of the utterances given. */
  readonly breaks?: { readonly fault: ProviderFault; readonly utterances: readonly number[] };
  /** It never gives a sound. */
  readonly stalls?: boolean;
  /** Their voice can be told from the first one's. */
  readonly fallbacks?: readonly Omit<TtsScript, 'fallbacks' | 'msPerLetter'>[];
}

export interface RealtimeScript {
  readonly replies: readonly (readonly ReplyPart[])[];
  /** From a request to the first event of its response. 100 by default. */
  readonly firstByteMs?: number;
  /** From the end of the caller's speech to the words that the model heard. 300 by default. */
  readonly wordsAfterMs?: number;
  /** How long each letter sounds. 50 by default. */
  readonly msPerLetter?: number;
}

/** What the customer's server answers to a tool call, and how long it takes; or nothing, ever. */
export type ToolAnswer =
  | { readonly afterMs?: number; readonly body: unknown }
  | { readonly afterMs?: number; readonly status: number }
  | { readonly never: true };

export interface ControlAct {
  readonly atMs: number;
  readonly command: NewControlCommand;
}

/**
 * What has to come of a scenario. What is left out is not compared, but for the end: by default the caller hangs up.
 */
export interface ScenarioExpectation {
  /** All that is heard and happens, in order of time. */
  readonly timeline: readonly TimelineEntry[];
  readonly ended?: CallEnd;
  /** What was said and heard, as the call's record has it. */
  readonly transcript?: readonly TranscriptLine[];
  /** What the models were asked. */
  readonly requests?: readonly ModelRequest[];
  /** The figures given of each turn. */
  readonly latency?: readonly Partial<TurnLatency>[];
  /** How long callers had spoken when the agent fell silent. */
  readonly interruptionsMs?: readonly number[];
  /** What a speech-to-speech model was told, in order; fields that are left out are not compared. */
  readonly session?: readonly Readonly<Record<string, unknown>>[];
}

export type TimelineEntry =
  /** The caller hears this of the agent, as it sounds, and not a sample longer. */
  | {
      readonly agent: string;
      readonly fromMs: number;
      readonly toMs: number;
      /** A fallback's, where it is not the first one's. */
      readonly voice?: 'fallback';
    }
  /** A turn of the caller's is over. */
  | { readonly turn: string; readonly atMs: number }
  | { readonly interrupted: true; readonly atMs: number }
  /** What interrupted was none: the agent goes on. */
  | { readonly resumed: true; readonly atMs: number }
  /** The model calls a tool. */
  | { readonly tool: string; readonly args: unknown; readonly atMs: number }
  /** What came of it, as the model is told. */
  | { readonly result: unknown; readonly of: string; readonly atMs: number }
  | { readonly error: string; readonly of: string; readonly atMs: number }
  /** Who, or what, has answered a call that was placed. */
  | { readonly answeredBy: string; readonly atMs: number }
  /** The caller is handed over to somebody else: the telephony is asked for it, and what comes of it. */
  | { readonly transfer: string; readonly status: 'started' | 'accepted' | 'refused' | 'failed'; readonly atMs: number }
  /** Keys that the service presses. */
  | { readonly keys: string; readonly atMs: number };

export interface CallEnd {
  readonly atMs: number;
  readonly reason: EndReason;
  readonly error?: string;
}

export type TranscriptLine = { readonly agent: string } | { readonly caller: string };

/** One request to a model: when, which one where it is not the first, and the last thing that it was told. */
export interface ModelRequest {
  readonly atMs: number;
  readonly last: string;
  readonly fallback?: number;
}

/** What came of a scenario. */
export interface Timeline {
  readonly entries: readonly TimelineEntry[];
  readonly ended: CallEnd;
  readonly transcript: readonly TranscriptLine[];
  readonly requests: readonly ModelRequest[];
  readonly latency: readonly TurnLatency[];
  readonly interruptionsMs: readonly number[];
  readonly session: readonly Readonly<Record<string, unknown>>[];
}
