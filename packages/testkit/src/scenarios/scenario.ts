import type {
  BudgetLevel,
  EndReason,
  HostTool,
  NewAgent,
  NewControlCommand,
  Price,
  ProviderFault,
  TurnLatency,
} from '@va/core';
import type { ModelUsage, SttEvent } from '@va/core/adapter';
import type { ScriptedTransfer } from '../scripted/transferring-leg.ts';

/**
 * A conversation as data: the actions of the caller, the providers, the customer's server and the controlling client,
 * and the expected result. All times are virtual milliseconds since the call was answered.
 *
 * The caller's sound consists of frames of 20 ms: the times of `says`, `noise` and `beeps` are multiples of it, and a
 * frame arrives when its last sample was spoken. The agent's frames are sent every 20 ms too, just before the caller's
 * arrive, so that a reply which is ready at 2,160 is heard from 2,180 on.
 */
export interface Scenario {
  /** Demonstrated behaviour, in a sentence. */
  readonly name: string;
  /** The body of POST /agents, merged over an agent without a first message whose providers are scripted. */
  readonly agent?: ScenarioAgent;
  /** The caller's actions in order of time, with silence in between. */
  readonly caller?: readonly CallerAct[];
  readonly stt?: SttScript;
  readonly llm?: LlmScript;
  readonly tts?: TtsScript;
  /** A speech-to-speech model that replaces `stt`, `llm` and `tts`. */
  readonly realtime?: RealtimeScript;
  /** Responses of the customer's server by tool, one per tool call; the last response of a tool repeats. */
  readonly tools?: Readonly<Record<string, readonly ScriptedToolAnswer[]>>;
  /** Tools that run in the host's process, by name; the agent names them with `{ type: 'host', name }`. */
  readonly hostTools?: Readonly<Record<string, HostToolScript>>;
  /** Control commands for the running call, in order of time. */
  readonly control?: readonly ControlAct[];
  /** Outcomes of transfers in order; without them the line does not support transfers. */
  readonly transfers?: readonly ScriptedTransfer[];
  /** Prices of the service, in EUR. Without them calls have no cost, and agents no budget. */
  readonly prices?: readonly Price[];
  /** Price of a minute of the call, in EUR; only together with `prices`. */
  readonly perMinute?: number;
  /** Time at which the caller hangs up, if the call has not ended before. */
  readonly hangsUpAtMs: number;
  readonly expect: ScenarioExpectation;
}

/** Body of POST /agents; the nested configurations need not name their provider. */
export type ScenarioAgent = Omit<Partial<NewAgent>, 'stt_config' | 'llm_config' | 'tts_config'> & {
  readonly stt_config?: Readonly<Record<string, unknown>>;
  readonly llm_config?: Readonly<Record<string, unknown>>;
  readonly tts_config?: Readonly<Record<string, unknown>>;
};

/** Words, spread evenly over their time. On finalize, the recognizer returns those spoken so far. */
export interface Saying {
  readonly says: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** BCP 47 tag of the language that the recognizer detects in the final words. */
  readonly language?: string;
  /** Partial transcripts of the recognizer. */
  readonly partials?: readonly { readonly atMs: number; readonly text: string }[];
}

/** Action of the caller, at times in milliseconds after the answer. */
export type CallerAct =
  | Saying
  /** Sound as loud as speech, without words. */
  | { readonly noise: true; readonly fromMs: number; readonly toMs: number }
  /** The tone of an answering machine, 1 kHz. */
  | { readonly beeps: true; readonly fromMs: number; readonly toMs: number }
  /** The far end sends no frames at all. */
  | { readonly sendsNothing: true; readonly fromMs: number; readonly toMs: number }
  /** DTMF digits, one every `everyMs` (200 by default) from `atMs` on. */
  | { readonly presses: string; readonly atMs: number; readonly everyMs?: number };

/** Behaviour of the scripted recognizer. The words follow from the caller's actions. */
export interface SttScript {
  /** Delay from finalize to the final words. Default: 0. */
  readonly settlesAfterMs?: number;
  /** True if the recognizer detects turn ends itself: `events` then has the `turn-…` events. */
  readonly judgesTurns?: boolean;
  /** Further events beside the words of the caller's actions. */
  readonly events?: readonly { readonly atMs: number; readonly event: SttEvent }[];
  /** Time at which its connection is lost. */
  readonly fails?: { readonly atMs: number; readonly fault: ProviderFault };
  readonly fallbacks?: readonly Omit<SttScript, 'fallbacks'>[];
}

/** A part of a reply: streamed text, a pause, a usage report, a tool call, a failure, or a stall. */
export type ReplyPart =
  | string
  | { readonly waitMs: number }
  /** The provider reports what the request used. */
  | { readonly uses: ModelUsage }
  /** `text` are arguments as the model wrote them, if they are not a JSON object. Default id: `call-<n>`. */
  | { readonly calls: string; readonly args?: Record<string, unknown>; readonly text?: string; readonly id?: string }
  | { readonly fails: ProviderFault }
  /** Sends nothing more, and never ends. */
  | { readonly stalls: true };

/** Behaviour of the scripted language model. */
export interface LlmScript {
  /** The replies, one per request. A further request fails. */
  readonly replies: readonly (readonly ReplyPart[])[];
  readonly fallbacks?: readonly Omit<LlmScript, 'fallbacks'>[];
}

/** Behaviour of the scripted synthesizer. Durations are in milliseconds. */
export interface TtsScript {
  /** Duration of each letter. Default: 50. */
  readonly msPerLetter?: number;
  /** Delay from a text to its first sound. Default: 0. */
  readonly firstByteMs?: number;
  /** Pace of the audio of a text: at once (default), or in real time. */
  readonly pace?: 'burst' | 'realtime';
  /** True if word timings are reported. Default: true. */
  readonly timings?: boolean;
  /** Fails before any sound: always, or for the given utterances (0 is the first). */
  readonly refuses?: { readonly fault: ProviderFault; readonly utterances?: readonly number[] };
  /** Fails in the middle of the given utterances. */
  readonly breaks?: { readonly fault: ProviderFault; readonly utterances: readonly number[] };
  /** Never returns a sound. */
  readonly stalls?: boolean;
  /** Fallbacks; their voice can be distinguished from the first one's. */
  readonly fallbacks?: readonly Omit<TtsScript, 'fallbacks' | 'msPerLetter'>[];
}

/** Behaviour of the scripted speech-to-speech model. Durations are in milliseconds. */
export interface RealtimeScript {
  readonly replies: readonly (readonly ReplyPart[])[];
  /** Delay from a request to the first event of its response. Default: 100. */
  readonly firstByteMs?: number;
  /** Delay from the end of the caller's speech to its transcript. Default: 300. */
  readonly wordsAfterMs?: number;
  /** Duration of each letter. Default: 50. */
  readonly msPerLetter?: number;
}

/** Response of the customer's server to a tool call, and its delay; or no response at all. */
export type ScriptedToolAnswer =
  | { readonly afterMs?: number; readonly body: unknown }
  | { readonly afterMs?: number; readonly status: number }
  | { readonly never: true };

/** A tool of the host. It takes any arguments, and shows in the timeline when it is aborted. */
export interface HostToolScript extends Partial<Pick<HostTool, 'timeoutMs' | 'async' | 'cancelOnInterruption'>> {
  /** Spoken while it runs. */
  readonly message?: string;
  /** Delay from its start to its answer; 0 by default. */
  readonly afterMs?: number;
  readonly returns?: unknown;
  /** Message of the error that it throws in place of a result, and whether the model may see it. */
  readonly throws?: { readonly message: string; readonly forModel?: boolean };
  /** Texts that the tool has spoken to the caller, at times in milliseconds after the start of the tool. */
  readonly says?: readonly { readonly afterMs: number; readonly text: string }[];
}

/** Control command of the API, such as `say`, and its time in milliseconds after the answer. */
export interface ControlAct {
  readonly atMs: number;
  readonly command: NewControlCommand;
}

/** Expected result of a scenario. Omitted parts are not compared, except the end: by default the caller hangs up. */
export interface ScenarioExpectation {
  /** All audible output and events, in order of time. */
  readonly timeline: readonly TimelineEntry[];
  readonly ended?: CallEnd;
  /** Transcript of the call's record. */
  readonly transcript?: readonly TranscriptLine[];
  /** Requests to the models. */
  readonly requests?: readonly ModelRequest[];
  /** Latency figures of each turn. */
  readonly latency?: readonly Partial<TurnLatency>[];
  /** Time for which the caller had spoken when the agent stopped, by interruption. */
  readonly interruptionsMs?: readonly number[];
  /** Commands to a speech-to-speech model, in order; omitted fields are not compared. */
  readonly session?: readonly Readonly<Record<string, unknown>>[];
}

/** Audible output or event of the call, at times in milliseconds after the answer. */
export type TimelineEntry =
  /** The caller hears exactly this of the agent, to the sample. */
  | {
      readonly agent: string;
      readonly fromMs: number;
      readonly toMs: number;
      /** Set if a fallback of the synthesizer speaks. */
      readonly voice?: 'fallback';
    }
  /** A turn of the caller has ended. */
  | { readonly turn: string; readonly atMs: number }
  | { readonly interrupted: true; readonly atMs: number }
  /** A false interruption: the agent resumes. */
  | { readonly resumed: true; readonly atMs: number }
  /** The model calls a tool. */
  | { readonly tool: string; readonly args: unknown; readonly atMs: number }
  /** The tool's result as passed to the model. */
  | { readonly result: unknown; readonly of: string; readonly atMs: number }
  | { readonly error: string; readonly of: string; readonly atMs: number }
  /** The signal of a running tool of the host was aborted. */
  | { readonly aborted: string; readonly atMs: number }
  /** The conversation continues in another language of the agent. */
  | { readonly language: string; readonly atMs: number }
  /** Result of answering-machine detection of an outgoing call. */
  | { readonly answeredBy: string; readonly atMs: number }
  /** A transfer of the caller: the telephony is asked for it, and its outcome. */
  | { readonly transfer: string; readonly status: 'started' | 'accepted' | 'refused' | 'failed'; readonly atMs: number }
  /** A person speaks with the caller in the agent's place, or has stopped. */
  | { readonly takeOver: 'started' | 'ended'; readonly atMs: number }
  /** A budget has reached a level: that of the call, or with `of` that of the organization. */
  | { readonly budget: BudgetLevel; readonly of?: 'organization'; readonly atMs: number }
  /** DTMF digits that the service sends. */
  | { readonly keys: string; readonly atMs: number };

/** End of the call: its time in milliseconds after the answer, its reason, and the message of an error. */
export interface CallEnd {
  readonly atMs: number;
  readonly reason: EndReason;
  readonly error?: string;
}

/** Message of the transcript: the words heard of the agent, or the words of the caller. */
export type TranscriptLine = { readonly agent: string } | { readonly caller: string };

/** A request to a model: its time, its last message, and the index of the fallback if the model is one. */
export interface ModelRequest {
  readonly atMs: number;
  readonly last: string;
  readonly fallback?: number;
}

/** Result of a scenario. */
export interface Timeline {
  readonly entries: readonly TimelineEntry[];
  readonly ended: CallEnd;
  readonly transcript: readonly TranscriptLine[];
  readonly requests: readonly ModelRequest[];
  readonly latency: readonly TurnLatency[];
  readonly interruptionsMs: readonly number[];
  readonly session: readonly Readonly<Record<string, unknown>>[];
}
