import { type GreetingHint, greetingHint } from './greeting-hint.ts';

/** When a greeting is judged. All times are in milliseconds. */
export interface AmdSettings {
  /** Nothing heard for so long after the answer is silence. */
  readonly silenceMs: number;
  /** A greeting up to this long is a person's, unless its words say otherwise. */
  readonly shortGreetingMs: number;
  /** So long a pause ends a short greeting, and any whose words tell who speaks. */
  readonly pauseMs: number;
  /** So long a pause ends a greeting that is neither short nor long. */
  readonly longPauseMs: number;
  /** Whoever speaks for so long without such a pause is a machine; a company's greeting may take twice as long. */
  readonly longGreetingMs: number;
  /** BCP 47 tag of what is expected to be spoken. */
  readonly language: string | undefined;
}

export const defaultAmdSettings: AmdSettings = {
  silenceMs: 4_000,
  shortGreetingMs: 2_500,
  pauseMs: 500,
  longPauseMs: 1_200,
  longGreetingMs: 4_500,
  language: undefined,
};

/** What is heard of the callee. Times are of the sound itself, and may lie before those of events already judged. */
export type AmdEvent =
  | { readonly type: 'speech-started' | 'speech-ended'; readonly atMs: number }
  | { readonly type: 'words'; readonly text: string; readonly final: boolean; readonly atMs: number }
  | { readonly type: 'beep'; readonly atMs: number }
  | { readonly type: 'tick'; readonly atMs: number };

export interface AmdVerdict {
  readonly kind: 'human' | 'voicemail' | 'screening' | 'ivr' | 'silence';
  readonly atMs: number;
  /** Whether a voicemail has not beeped yet: a message is to be left after that. */
  readonly waitForBeep: boolean;
}

/** The greeting, from its first sound to its last. */
interface Greeting {
  readonly startMs: number;
  readonly endMs: number;
  readonly speaking: boolean;
  /** Whether only its words tell of it: the detector has missed the sound. */
  readonly wordsOnly: boolean;
}

export interface AmdState {
  readonly settings: AmdSettings;
  readonly answeredAtMs: number;
  readonly greeting: Greeting | null;
  /** Finished words, and those that may still change. */
  readonly finals: string;
  readonly partial: string;
  readonly hint: GreetingHint;
  readonly verdict: AmdVerdict | null;
}

/** Finished words of which no more are kept: a greeting has said what it is by then. */
const longestWords = 2_000;

/** A judge of what answers a call, from the answer on. */
export function startAmd(settings: AmdSettings, answeredAtMs = 0): AmdState {
  return { settings, answeredAtMs, greeting: null, finals: '', partial: '', hint: null, verdict: null };
}

/** What is known after an event. A verdict stands, but for the beep that a voicemail owed. */
export function stepAmd(state: AmdState, event: AmdEvent): AmdState {
  const due = settleDue(state, event.atMs);
  if (due.verdict !== null) {
    const isOwed = event.type === 'beep' && due.verdict.waitForBeep;
    return isOwed ? { ...due, verdict: { ...due.verdict, waitForBeep: false } } : due;
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

/** When time alone decides, if nothing more is heard; null once it is decided. */
export function verdictDueAtMs(state: AmdState): number | null {
  const { settings, greeting, hint } = state;
  if (state.verdict !== null) return null;
  if (greeting === null) return state.answeredAtMs + settings.silenceMs;
  if (greeting.speaking) return greeting.startMs + settings.longGreetingMs * (isHeardOut(hint) ? 2 : 1);
  const isClear =
    hint === 'human' || hint === 'likely-voicemail' || greeting.endMs - greeting.startMs <= settings.shortGreetingMs;
  return greeting.endMs + (isClear ? settings.pauseMs : settings.longPauseMs);
}

/** Decides what time alone decides up to `nowMs`, as of when it was due, or of the event that made it so. */
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

/** Companies greet at length, whether a person does or a menu: their words are worth waiting for. */
function isHeardOut(hint: GreetingHint): boolean {
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
  const next = { ...state, finals, partial, hint, greeting: text.trim() === '' ? state.greeting : told(state, atMs) };
  if (hint === 'voicemail') return decided(next, 'voicemail', atMs, true);
  return hint === 'screening' || hint === 'ivr' ? decided(next, hint, atMs, false) : next;
}

function told({ greeting }: AmdState, atMs: number): Greeting {
  if (greeting === null) return { startMs: atMs, endMs: atMs, speaking: false, wordsOnly: true };
  return greeting.wordsOnly ? { ...greeting, endMs: Math.max(greeting.endMs, atMs) } : greeting;
}

function decided(state: AmdState, kind: AmdVerdict['kind'], atMs: number, waitForBeep: boolean): AmdState {
  return { ...state, verdict: { kind, atMs, waitForBeep } };
}
