import {
  type AudioFormat,
  EventQueue,
  type TextToSpeech,
  type TtsEvent,
  type TtsSession,
  type TtsSessionOptions,
  type TtsUtterance,
  type WordTiming,
} from '@va/core/adapter';
import { soundOf } from '../readable-sound.ts';

/** Options of the scripted synthesizer. */
export interface ScriptedTtsOptions {
  readonly id?: string;
  /** Duration of each letter. Default: 50 ms. */
  readonly msPerLetter?: number;
  /** Delay from the text to its audio. Default: 0, in the same turn of the event loop. */
  readonly delayMs?: number;
  /** True if word timings are reported. Default: true. */
  readonly timings?: boolean;
  /** Byte value of the audio, so that a test can distinguish it from silence. */
  readonly code?: number;
  /** Encodes the letters in the audio for `readSound`, instead of one byte value; 1 is a second voice. */
  readonly readable?: 0 | 1;
  /** `burst`: the audio of a text is sent at once, as by most synthesizers. `realtime`: at the speed of speech. */
  readonly pace?: 'burst' | 'realtime';
  /** Fails an utterance: called for each text; the returned Error is thrown after half its audio. */
  readonly breakAt?: (text: string, utterance: number) => Error | null;
  /** The returned Error is thrown before any audio of the text. */
  readonly refuseAt?: (text: string, utterance: number) => Error | null;
  /** True if it never returns any audio. */
  readonly stalls?: boolean;
}

/** Duration of each chunk of a real-time synthesizer. */
const chunkMs = 20;

/** Synthesizer whose audio follows from the text, and which records what it was asked to speak. */
export interface ScriptedTts extends TextToSpeech {
  /** The texts of each utterance, as pushed. */
  readonly utterances: readonly (readonly string[])[];
  /** Indexes of cancelled utterances. */
  readonly cancelled: ReadonlySet<number>;
  readonly openSessions: number;
}

/**
 * Returns a synthesizer whose audio is as long as its text.
 *
 * @example createVoiceAgents({ providers: [scriptedStt(), scriptedLlm([saying('Hello.')]), scriptedTts()], … })
 */
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
          return new ScriptedUtterance(options, session, texts, index, cancelled);
        },
        close() {
          if (open) openSessions -= 1;
          open = false;
        },
      };
    },
  };
}

class ScriptedUtterance implements TtsUtterance {
  readonly #options: ScriptedTtsOptions;
  readonly #session: TtsSessionOptions;
  readonly #texts: string[];
  readonly #index: number;
  readonly #cancelled: Set<number>;
  readonly #events = new EventQueue<TtsEvent>();
  /** Duration of the audio of the texts so far. */
  #audioMs = 0;
  #waiting = 0;
  /** End of the audio sent so far, at the speed of speech. */
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
