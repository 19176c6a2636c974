import { type LegEncoding, legAudio } from '@va/media';
import type { ConversationRunner, TurnModelHandler } from '../../conversation/runner/runner.ts';
import type { TurnModelEffect } from '../../conversation/state/effects.ts';
import type { Clock } from '../../ports/clock.ts';
import { RecentAudio } from './recent-audio.ts';
import type { TurnJudge } from './turn-judge.ts';

/** Audio that a request has at most: 64,000 bytes of memory per call with G.711, 256,000 at 16 kHz. */
const maxAudioMs = 8_000;
/** Audio before the detected start of a turn: the detector may miss its quiet first sounds. */
const prefixMs = 500;

export interface CallTurnModelOptions {
  readonly judge: TurnJudge;
  readonly runner: Pick<ConversationRunner, 'dispatch'>;
  /** Encoding of the caller's frames. */
  readonly encoding: LegEncoding;
  readonly language: string | undefined;
  readonly clock: Clock;
  /** Aborts with the call. */
  readonly signal: AbortSignal;
}

type Question = Extract<TurnModelEffect, { type: 'ask-turn-model' }>;

/** Sends the turn-model requests of one phone call. Keeps the caller's last 8 s of audio. */
export class CallTurnModel implements TurnModelHandler {
  readonly #options: CallTurnModelOptions;
  readonly #audio: RecentAudio;
  #current: { readonly request: number; readonly abort: AbortController } | null = null;

  constructor(options: CallTurnModelOptions) {
    this.#options = options;
    this.#audio = new RecentAudio(options.encoding, maxAudioMs);
    options.signal.addEventListener('abort', () => this.#current?.abort.abort(), { once: true });
  }

  /** Takes the caller's next frame. The buffer is valid until the method returns. */
  onFrame(payload: Uint8Array): void {
    this.#audio.push(payload);
  }

  handle(effect: TurnModelEffect): void {
    if (effect.type === 'ask-turn-model') void this.#ask(effect);
    else if (this.#current?.request === effect.request) this.#current.abort.abort();
  }

  async #ask({ request, text, sinceMs }: Question): Promise<void> {
    const { judge, runner, language, clock, encoding } = this.#options;
    const { sampleRateHz } = legAudio[encoding];
    const abort = new AbortController();
    this.#current = { request, abort };
    const audio = this.#audio.last(Math.min(maxAudioMs, clock.nowMs() - sinceMs + prefixMs));
    const input = { audio, sampleRateHz, text, language, signal: abort.signal };
    const probability = await judge.judge(input);
    if (!abort.signal.aborted) runner.dispatch({ type: 'turn-predicted', request, probability });
  }
}
