import { decodeG711, encodeG711, frameMs, frameSamples, loadSileroVad } from '@va/media';
import { clipped, type Noise } from '@va/test-servers/audio';
import { CallUnderTest, ScriptedWebhooks, saying, scriptedLlm, scriptedTts } from '@va/testkit';
import type { Policy } from './policies.ts';
import { msPerLetter } from './settings.ts';
import { type Delays, TimedRecognizer } from './timed-recognizer.ts';
import type { TimedWord } from './turns.ts';

const voiceCode = 0x10;
const silentCode = 0xff;
const [voiceLevel = 0] = decodeG711('pcmu', Uint8Array.of(voiceCode));
const nobody = new Int16Array(frameSamples);

/** A sound of the caller, and the words in it. */
export interface Sound {
  readonly name: string;
  readonly pcm: Int16Array;
  readonly words: readonly TimedWord[];
}

export interface ListeningCallOptions {
  readonly policy: Policy;
  readonly language: string;
  readonly delays: Delays;
  readonly noise: { readonly sound: Noise; readonly level: number } | null;
  /** Returns the text of the agent's next reply. */
  readonly reply: () => string;
  readonly firstMessage?: string;
}

/** A call on virtual time, with the real detector, media plane and reducer, and providers that take no time. */
export class ListeningCall {
  readonly #options: ListeningCallOptions;
  readonly #call: CallUnderTest;
  readonly #recognizer: TimedRecognizer;
  #sample = 0;
  #cutOffs = 0;
  /** Sending time of the frames of the agent, modulo the duration of a frame. */
  #phaseMs = 0;

  private constructor(options: ListeningCallOptions) {
    this.#options = options;
    this.#recognizer = new TimedRecognizer(options.delays);
    this.#call = new CallUnderTest({
      providers: [
        this.#recognizer,
        scriptedLlm(() => saying(options.reply())),
        scriptedTts({ msPerLetter, code: voiceCode }),
      ],
      webhooks: new ScriptedWebhooks(),
      service: { vad: loadSileroVad() },
    });
    this.#call.va.events.on('call.notice', ({ notice }) => {
      if (notice.type === 'agent-spoke' && notice.interrupted) this.#cutOffs += 1;
    });
  }

  static async open(options: ListeningCallOptions): Promise<ListeningCall> {
    const listening = new ListeningCall(options);
    const call = listening.#call;
    await call.start({
      name: 'Anna',
      webhook_url: 'https://customer.test/hook',
      stt_config: { provider: 'timed', language: options.language },
      llm_config: { provider: 'scripted' },
      tts_config: { provider: 'scripted' },
      first_message: options.firstMessage ?? 'Hello.',
      speech_config: { ...options.policy.speech, silence: { timeout_ms: 600_000 } },
      max_duration_seconds: 7_200,
    });
    await call.ringUp(call.incoming);
    await call.clock.advance(20);
    for (let i = 0; i < 50 && !call.incoming.answered; i++) await call.clock.advance(20);
    const { length } = call.incoming.sent;
    while (call.incoming.sent.length === length) await call.clock.advance(1);
    listening.#phaseMs = call.clock.nowMs() % frameMs;
    await call.clock.advance(frameMs - listening.#phaseMs);
    return listening;
  }

  get nowMs(): number {
    return this.#call.clock.nowMs();
  }

  /** Time at which the newest frame of the agent was sent. */
  get sentAtMs(): number {
    return this.nowMs - ((this.nowMs - this.#phaseMs) % frameMs);
  }

  /** Number of times that the agent was cut off for good. */
  get cutOffs(): number {
    return this.#cutOffs;
  }

  /** Level of the agent's voice in the newest frame, relative to the full one: 0 when it is silent. */
  get agentLevel(): number {
    const frame = this.#call.incoming.sent.at(-1);
    const code = frame?.[frameSamples - 1] ?? silentCode;
    if (code === silentCode) return 0;
    return Math.abs((decodeG711('pcmu', Uint8Array.of(code))[0] ?? 0) / voiceLevel);
  }

  /**
   * Returns the time of the first sample of the newest frame that is below a share of the full level; null if there is
   * none.
   */
  fellBelowAtMs(share: number): number | null {
    const frame = this.#call.incoming.sent.at(-1) ?? new Uint8Array();
    const at = decodeG711('pcmu', frame).findIndex((sample) => Math.abs(sample) < share * Math.abs(voiceLevel));
    return at < 0 ? null : this.sentAtMs + (at * frameMs) / frameSamples;
  }

  /** Plays a sound of the caller; `each` is called after each frame. */
  async say({ name, pcm, words }: Sound, each: () => void = () => {}): Promise<void> {
    this.#recognizer.say({ words, fromMs: this.nowMs, name });
    for (let at = 0; at < pcm.length; at += frameSamples) {
      await this.#frame(pcm.subarray(at, at + frameSamples));
      each();
    }
  }

  /** Waits until the condition is true or the time has passed; returns the condition. */
  async wait(ms: number, until: () => boolean = () => false): Promise<boolean> {
    for (let passed = 0; passed < ms && !until(); passed += frameMs) await this.#frame(nobody);
    return until();
  }

  /** Presses a key. */
  press(digit: string): void {
    this.#call.incoming.press(digit);
  }

  /** Ends the call; returns how many prepared replies were made and used. */
  async close(): Promise<{ made: number; used: number }> {
    this.#call.incoming.leave();
    await this.#call.clock.advance(200);
    const { prepared_replies = { made: 0, used: 0 } } = this.#call.ended?.latency ?? {};
    await this.#call.close();
    return prepared_replies;
  }

  async #frame(voice: Int16Array): Promise<void> {
    const { noise } = this.#options;
    const gain = noise === null ? 0 : noise.level / noise.sound.level;
    const mixed = Int16Array.from({ length: frameSamples }, (_, i) => {
      const under = noise?.sound.samples[(this.#sample + i) % noise.sound.samples.length] ?? 0;
      return clipped((voice[i] ?? 0) + under * gain);
    });
    this.#sample += frameSamples;
    this.#call.incoming.hear(encodeG711('pcmu', mixed));
    await this.#call.clock.advance(frameMs);
  }
}
