import { encodeG711, frameMs, frameSamples, loadSileroVad } from '@va/media';
import { clipped, type Noise } from '@va/test-servers/audio';
import { saying, scriptedLlm, scriptedStt, scriptedTts } from '@va/testkit';
import { PhoneCall } from '../support/phone-call.ts';
import { PromiseClock } from '../support/promise-clock.ts';

export interface NoisyCallOptions {
  readonly noise: Noise | null;
  /** Root mean square of the noise, on a scale of 32,768. */
  readonly noiseLevel: number;
  /** Transcript of each stretch of speech; null for no words. */
  readonly understood: string | null;
  /** First message of the agent and its reply to every turn. */
  readonly agentSays: string;
  readonly speechConfig?: Record<string, unknown>;
}

/** The scripted TTS takes 50 ms per letter. */
const lettersPerSecond = 20;

/** Returns a text that takes this many seconds to speak. */
export function speechOf(seconds: number): string {
  const sentence = 'Our opening hours are as follows, ';
  return sentence
    .repeat(Math.ceil((seconds * lettersPerSecond) / sentence.length))
    .slice(0, seconds * lettersPerSecond);
}

/** A call with the real VAD and media plane, on a line with continuous noise. */
export class NoisyCall {
  readonly #options: NoisyCallOptions;
  readonly #call: PhoneCall;
  /** The samples of the current frame. A loop over a buffer: a callback per sample took longer than the call. */
  readonly #mixed = new Int16Array(frameSamples);
  #sample = 0;

  private constructor(options: NoisyCallOptions, call: PhoneCall) {
    this.#options = options;
    this.#call = call;
  }

  static async ring(options: NoisyCallOptions): Promise<NoisyCall> {
    const { understood, agentSays, speechConfig = {} } = options;
    const call = new PhoneCall({
      clock: new PromiseClock(),
      service: { vad: loadSileroVad() },
      stt: scriptedStt({ turns: understood === null ? [] : Array.from({ length: 1_000 }, () => understood) }),
      llm: scriptedLlm(() => saying(agentSays)),
      tts: scriptedTts(),
      hasDefaultSpeech: true,
    });
    await call.prepare({ first_message: agentSays, speech_config: speechConfig, max_duration_seconds: 7_200 });
    await call.dial();
    return new NoisyCall(options, call);
  }

  get nowMs(): number {
    return this.#call.clock.nowMs();
  }

  /** Number of times that the agent was paused or interrupted. */
  get interruptions(): number {
    return this.#call.notices.filter(({ type }) => type === 'interrupted').length;
  }

  /** Number of times that the agent was interrupted for good. */
  get cutOff(): number {
    return this.#call.notices.filter((notice) => notice.type === 'agent-spoke' && notice.interrupted).length;
  }

  get isAgentSpeaking(): boolean {
    return this.#call.agentFrames(this.#call.incoming.sent.length - 2) > 0;
  }

  /** Milliseconds of agent audio that were sent. */
  get agentSpokeMs(): number {
    return this.#call.agentFrames() * frameMs;
  }

  /** Sends speech of the caller, mixed with the noise. */
  async say(pcm: Int16Array, each: () => void = () => {}): Promise<void> {
    for (let at = 0; at < pcm.length; at += frameSamples) {
      await this.#frame(pcm.subarray(at, at + frameSamples));
      each();
    }
  }

  /** Sends only noise until the condition is true or the time has passed; returns the condition. */
  async listen(ms: number, until: () => boolean = () => false): Promise<boolean> {
    for (let passed = 0; passed < ms && !until(); passed += frameMs) await this.#frame(nobody);
    return until();
  }

  /**
   * Presses a key whose tone leaks into the audio before the sender suppresses it; the event itself carries no audio.
   */
  async press(digit: string, tone: Int16Array): Promise<void> {
    await this.say(tone);
    this.#call.incoming.press(digit);
    await this.#call.clock.advance(160);
  }

  async close(): Promise<void> {
    await this.#call.close();
  }

  async #frame(voice: Int16Array): Promise<void> {
    const { noise, noiseLevel } = this.#options;
    const mixed = this.#mixed;
    if (noise === null) for (let i = 0; i < frameSamples; i++) mixed[i] = clipped(voice[i] ?? 0);
    else {
      const { samples, level } = noise;
      let at = this.#sample % samples.length;
      for (let i = 0; i < frameSamples; i++) {
        mixed[i] = clipped((voice[i] ?? 0) + ((samples[at] ?? 0) * noiseLevel) / level);
        at = at + 1 === samples.length ? 0 : at + 1;
      }
    }
    this.#sample += frameSamples;
    this.#call.incoming.hear(encodeG711('pcmu', mixed));
    await this.#call.clock.advance(frameMs);
  }
}

const nobody = new Int16Array(frameSamples);
