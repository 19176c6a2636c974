import { type GreetingHint, greetingHint } from './greeting-hint.ts';

/** Limits of answering-machine detection, in milliseconds. */
export interface AmdSettings {
  /** Silence from the answer after which the verdict is `silence`. */
  readonly silenceMs: number;
  /** Maximum length of a short greeting, which ends at a pause of `pauseMs`. */
  readonly shortGreetingMs: number;
  /** Pause that ends a short greeting, and any greeting whose words identify the speaker. */
  readonly pauseMs: number;
  /** Pause that ends a greeting that is neither short nor long. */
  readonly longPauseMs: number;
  /**
   * Length at which a greeting that has not ended counts as a machine. Doubled if its words are those of a person or a
   * company: the former then still counts as a person.
   */
  readonly longGreetingMs: number;
  /** BCP 47 tag of the expected language. */
  readonly language: string | undefined;
}

/** Default settings, without a language. */
export const defaultAmdSettings: AmdSettings = {
  silenceMs: 4_000,
  shortGreetingMs: 2_500,
  pauseMs: 500,
  longPauseMs: 1_200,
  longGreetingMs: 4_500,
  language: undefined,
};

/**
 * Sounds and words of the callee. `atMs` is the time of the sound, which may precede that of events already handled.
 */
export type AmdEvent =
  | { readonly type: 'speech-started' | 'speech-ended'; readonly atMs: number }
  | { readonly type: 'words'; readonly text: string; readonly final: boolean; readonly atMs: number }
  | { readonly type: 'beep'; readonly atMs: number }
  | { readonly type: 'tick'; readonly atMs: number };

/** Result of answering-machine detection. */
export interface AmdVerdict {
  readonly kind: 'human' | 'voicemail' | 'screening' | 'ivr' | 'silence';
  readonly atMs: number;
  /** True for a voicemail that has not beeped yet: leave a message only after its beep. */
  readonly waitForBeep: boolean;
}

/** Greeting from its first to its last sound. */
interface Greeting {
  readonly startMs: number;
  readonly endMs: number;
  readonly speaking: boolean;
  /** True if only words were received: voice activity detection missed the sound. */
  readonly wordsOnly: boolean;
}

/** State of answering-machine detection during a call; changed by `stepAmd`. */
export interface AmdState {
  readonly settings: AmdSettings;
  readonly answeredAtMs: number;
  readonly greeting: Greeting | null;
  /** Words of final transcripts. `partial` has the words that may still change. */
  readonly finals: string;
  readonly partial: string;
  readonly hint: GreetingHint;
  readonly verdict: AmdVerdict | null;
}

/** Maximum length of the final words in characters; a greeting is recognized before that. */
const longestWords = 2_000;

/** Returns the state of detection for a call answered at `answeredAtMs`. */
export function startAmd(settings: AmdSettings, answeredAtMs = 0): AmdState {
  return { settings, answeredAtMs, greeting: null, finals: '', partial: '', hint: null, verdict: null };
}

/** Applies an event. A verdict is final, except that a later beep clears `waitForBeep`. */
export function stepAmd(state: AmdState, event: AmdEvent): AmdState {
  const due = settleDue(state, event.atMs);
  if (due.verdict !== null) {
    const clearsWaitForBeep = event.type === 'beep' && due.verdict.waitForBeep;
    return clearsWaitForBeep ? { ...due, verdict: { ...due.verdict, waitForBeep: false } } : due;
  }
  switch (event.type) {
    case 'speech-started':
      return { ...due, greeting: sounding(due.greeting, event.atMs, true) };
    case 'speech-ended':
      return { ...due, greeting: sounding(due.greeting, event.atMs, false) };
    case 'words':
      return settleDue(worded(due, event.text, event.final, event.atMs), event.atMs, event.atMs);
    case 'beep':
      return decided(due, 'voicemail', event.atMs, false);
    case 'tick':
      return due;
  }
}

/** Returns when a verdict is reached without further events, or null once there is one. */
export function verdictDueAtMs(state: AmdState): number | null {
  const { settings, greeting, hint } = state;
  if (state.verdict !== null) return null;
  if (greeting === null) return state.answeredAtMs + settings.silenceMs;
  if (greeting.speaking) return greeting.startMs + settings.longGreetingMs * (mayBeLong(hint) ? 2 : 1);
  const isClear =
    hint === 'human' || hint === 'likely-voicemail' || greeting.endMs - greeting.startMs <= settings.shortGreetingMs;
  return greeting.endMs + (isClear ? settings.pauseMs : settings.longPauseMs);
}

/**
 * Reaches the verdict that is due by `nowMs`. `atMs` of the verdict is the time when it was due, or `causedAtMs` if
 * that is later.
 */
function settleDue(state: AmdState, nowMs: number, causedAtMs = 0): AmdState {
  const dueMs = verdictDueAtMs(state);
  if (dueMs === null || nowMs < dueMs) return state;
  const { greeting, hint } = state;
  const atMs = Math.max(dueMs, causedAtMs);
  if (greeting === null) return decided(state, 'silence', atMs, false);
  if (greeting.speaking && hint === 'likely-ivr') return decided(state, 'ivr', atMs, false);
  const isVoicemail = hint === 'likely-voicemail' || (greeting.speaking && hint !== 'human');
  return isVoicemail ? decided(state, 'voicemail', atMs, true) : decided(state, 'human', atMs, false);
}

/** Returns true for the words of a person or a company, whose greetings may be long. */
function mayBeLong(hint: GreetingHint): boolean {
  return hint === 'human' || hint === 'likely-ivr';
}

function sounding(greeting: Greeting | null, atMs: number, speaking: boolean): Greeting {
  const startMs = greeting?.startMs ?? atMs;
  return { startMs, endMs: Math.max(atMs, startMs), speaking, wordsOnly: false };
}

function worded(state: AmdState, text: string, final: boolean, atMs: number): AmdState {
  const partial = final ? '' : text;
  const finals = final ? `${state.finals} ${text}`.trim().slice(0, longestWords) : state.finals;
  const hint = greetingHint(`${finals} ${partial}`, state.settings.language);
  const next = {
    ...state,
    finals,
    partial,
    hint,
    greeting: text.trim() === '' ? state.greeting : extendedByWords(state, atMs),
  };
  if (hint === 'voicemail') return decided(next, 'voicemail', atMs, true);
  return hint === 'screening' || hint === 'ivr' ? decided(next, hint, atMs, false) : next;
}

function extendedByWords({ greeting }: AmdState, atMs: number): Greeting {
  if (greeting === null) return { startMs: atMs, endMs: atMs, speaking: false, wordsOnly: true };
  return greeting.wordsOnly ? { ...greeting, endMs: Math.max(greeting.endMs, atMs) } : greeting;
}

function decided(state: AmdState, kind: AmdVerdict['kind'], atMs: number, waitForBeep: boolean): AmdState {
  return { ...state, verdict: { kind, atMs, waitForBeep } };
}
