import {
  type AudioFormat,
  EventQueue,
  type TextToSpeech,
  type TtsEvent,
  type TtsSession,
  type TtsSessionOptions,
  type TtsUtterance,
  type WordTiming,
} from '@va/core';
import { soundOf } from '../readable-sound.ts';

export interface ScriptedTtsOptions {
  readonly id?: string;
  /** How long each letter sounds. 50 ms by default. */
  readonly msPerLetter?: number;
  /** From the text to its audio. 0 by default: it comes in the same turn of the event loop. */
  readonly delayMs?: number;
  /** Whether words come with their times. True by default. */
  readonly timings?: boolean;
  /** The byte of which the audio is made, so that a test can tell it from silence. */
  readonly code?: number;
  /** Makes audio of which `readSound` can tell the letters, in the place of one byte; 1 is a second voice. */
  readonly readable?: 0 | 1;
  /** `burst`: the audio of a text comes at once, as from most synthesizers. `realtime`: as fast as it sounds. */
  readonly pace?: 'burst' | 'realtime';
  /** Lets a test break an utterance: called for each text; the Error returned is thrown after half its audio. */
  readonly breakAt?: (text: string, utterance: number) => Error | null;
  /** The Error returned is thrown in the place of any audio of the text. */
  readonly refuseAt?: (text: string, utterance: number) => Error | null;
  /** Whether it never gives any audio. */
  readonly stalls?: boolean;
}

/** What a synthesizer in real time gives at once. */
const chunkMs = 20;

export interface ScriptedTts extends TextToSpeech {
  /** The texts of each utterance, as pushed. */
  readonly utterances: readonly (readonly string[])[];
  /** Utterances that were cancelled, by index. */
  readonly cancelled: ReadonlySet<number>;
  readonly openSessions: number;
}

/** A synthesizer whose audio is as long as its text. */
export function scriptedTts(options: ScriptedTtsOptions = {}): ScriptedTts {
  const utterances: string[][] = [];
  const cancelled = new Set<number>();
  let openSessions = 0;
  const formats: AudioFormat[] = [
    { encoding: 'pcmu', sampleRateHz: 8_000 },
    { encoding: 'pcma', sampleRateHz: 8_000 },
  ];
  return {
    kind: 'tts',
    id: options.id ?? 'scripted',
    formats,
    utterances,
    cancelled,
    get openSessions() {
      return openSessions;
    },
    open(session: TtsSessionOptions): TtsSession {
      openSessions += 1;
      let open = true;
      return {
        speak() {
          const texts: string[] = [];
          const index = utterances.push(texts) - 1;
          return new Utterance(options, session, texts, index, cancelled);
        },
        close() {
          if (open) openSessions -= 1;
          open = false;
        },
      };
    },
  };
}

class Utterance implements TtsUtterance {
  readonly #options: ScriptedTtsOptions;
  readonly #session: TtsSessionOptions;
  readonly #texts: string[];
  readonly #index: number;
  readonly #cancelled: Set<number>;
  readonly #events = new EventQueue<TtsEvent>();
  /** Of the texts so far, in their order. */
  #audioMs = 0;
  #waiting = 0;
  /** Until when audio that is given as fast as it sounds goes on. */
  #soundsUntilMs = 0;
  #ended = false;
  #cancelledHere = false;

  constructor(
    options: ScriptedTtsOptions,
    session: TtsSessionOptions,
    texts: string[],
    index: number,
    cancelled: Set<number>,
  ) {
    this.#options = options;
    this.#session = session;
    this.#texts = texts;
    this.#index = index;
    this.#cancelled = cancelled;
  }

  push(text: string): void {
    this.#texts.push(text);
    const { delayMs = 0, stalls = false } = this.#options;
    this.#waiting += 1;
    if (stalls) return;
    if (delayMs === 0) this.#speak(text);
    else this.#session.clock.setTimer(delayMs, () => this.#speak(text));
  }

  end(): void {
    this.#ended = true;
    if (this.#waiting === 0) this.#events.end();
  }

  cancel(): void {
    this.#cancelled.add(this.#index);
    this.#cancelledHere = true;
    this.#events.discard();
  }

  [Symbol.asyncIterator](): AsyncIterator<TtsEvent> {
    return this.#events[Symbol.asyncIterator]();
  }

  #speak(text: string): void {
    const { msPerLetter = 50, timings = true, breakAt, refuseAt } = this.#options;
    const refused = refuseAt?.(text, this.#index) ?? null;
    if (refused !== null) {
      this.#events.fail(refused);
      return;
    }
    const broken = breakAt?.(text, this.#index) ?? null;
    const durationMs = text.length * msPerLetter * (broken === null ? 1 : 0.5);
    if (timings) this.#events.push({ type: 'words', words: wordTimings(text, this.#audioMs, msPerLetter) });
    this.#audioMs += durationMs;
    this.#sound(this.#audioOf(text, durationMs), () => {
      this.#waiting -= 1;
      if (broken !== null) this.#events.fail(broken);
      else if (this.#ended && this.#waiting === 0) this.#events.end();
    });
  }

  #audioOf(text: string, durationMs: number): Uint8Array {
    const { msPerLetter = 50, code = 0x2a, readable } = this.#options;
    const bytes = Math.round(durationMs * 8);
    if (readable === undefined) return new Uint8Array(bytes).fill(code);
    return soundOf(text, { msPerLetter, voice: readable }).subarray(0, bytes);
  }

  #sound(audio: Uint8Array, then: () => void): void {
    if (this.#options.pace !== 'realtime') {
      this.#events.push({ type: 'audio', audio });
      then();
      return;
    }
    const { clock } = this.#session;
    const beginsAtMs = Math.max(clock.nowMs(), this.#soundsUntilMs);
    this.#soundsUntilMs = beginsAtMs + audio.length / 8;
    const give = (from: number): void => {
      if (this.#cancelledHere) return;
      const to = from + chunkMs * 8;
      this.#events.push({ type: 'audio', audio: audio.subarray(from, to) });
      if (to >= audio.length) then();
      else clock.setTimer(chunkMs, () => give(to));
    };
    const waitMs = beginsAtMs - clock.nowMs();
    if (waitMs === 0) give(0);
    else clock.setTimer(waitMs, () => give(0));
  }
}

function wordTimings(text: string, fromMs: number, msPerLetter: number): WordTiming[] {
  return [...text.matchAll(/\S+/g)].map((match) => ({
    text: match[0],
    startMs: fromMs + match.index * msPerLetter,
    endMs: fromMs + (match.index + match[0].length) * msPerLetter,
  }));
}
