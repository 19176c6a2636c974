import { encodeG711, frameMs, frameSamples, loadSileroVad } from '@va/media';
import { saying, scriptedLlm, scriptedStt, scriptedTts } from '@va/testkit';
import { PhoneCall } from '../support/phone-call.ts';
import { clipped, type Noise } from './noises.ts';

export interface NoisyCallOptions {
  readonly noise: Noise | null;
  /** Root mean square of the noise, of 32,768. */
  readonly noiseLevel: number;
  /** What the recognizer makes of each stretch of speech; null for nothing at all. */
  readonly understood: string | null;
  /** What the agent says first, and then in answer to every turn. */
  readonly agentSays: string;
  readonly speechConfig?: Record<string, unknown>;
}

/** The scripted voice takes 50 ms a letter. */
export const lettersPerSecond = 20;

/** A speech of so many seconds. */
export function speechOf(seconds: number): string {
  const sentence = 'Our opening hours are as follows, ';
  return sentence
    .repeat(Math.ceil((seconds * lettersPerSecond) / sentence.length))
    .slice(0, seconds * lettersPerSecond);
}

/** A call with the real detector and media plane, over a line that is never quiet. */
export class NoisyCall {
  readonly #options: NoisyCallOptions;
  readonly #call: PhoneCall;
  #sample = 0;

  private constructor(options: NoisyCallOptions, call: PhoneCall) {
    this.#options = options;
    this.#call = call;
  }

  static async ring(options: NoisyCallOptions): Promise<NoisyCall> {
    const { understood, agentSays, speechConfig = {} } = options;
    const call = new PhoneCall({
      service: { vad: loadSileroVad() },
      stt: scriptedStt({ turns: understood === null ? [] : Array.from({ length: 1_000 }, () => understood) }),
      llm: scriptedLlm(() => saying(agentSays)),
      tts: scriptedTts(),
    });
    await call.prepare({ first_message: agentSays, speech_config: speechConfig, max_duration_seconds: 7_200 });
    await call.dial();
    return new NoisyCall(options, call);
  }

  get nowMs(): number {
    return this.#call.clock.nowMs();
  }

  /** How often the agent was held or cut off by what it took for the caller. */
  get interruptions(): number {
    return this.#call.notices.filter(({ type }) => type === 'interrupted').length;
  }

  /** How often it was cut off for good. */
  get cutOff(): number {
    return this.#call.notices.filter((notice) => notice.type === 'agent-spoke' && notice.interrupted).length;
  }

  get isAgentSpeaking(): boolean {
    return this.#call.agentFrames(this.#call.incoming.sent.length - 2) > 0;
  }

  /** Milliseconds of the agent's voice that left. */
  get agentSpokeMs(): number {
    return this.#call.agentFrames() * frameMs;
  }

  /** The caller says this, over the noise. */
  async say(pcm: Int16Array, each: () => void = () => {}): Promise<void> {
    for (let at = 0; at < pcm.length; at += frameSamples) {
      await this.#frame(pcm.subarray(at, at + frameSamples));
      each();
    }
  }

  /** Nobody speaks, and the noise goes on, until something is so, or for the time. True where it is so. */
  async listen(ms: number, until: () => boolean = () => false): Promise<boolean> {
    for (let passed = 0; passed < ms && !until(); passed += frameMs) await this.#frame(nobody);
    return until();
  }

  /** A key, with what slips into the audio before the sender notices it; the event itself carries no audio. */
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
    const mixed = Int16Array.from({ length: frameSamples }, (_, i) => {
      const under =
        noise === null
          ? 0
          : ((noise.samples[(this.#sample + i) % noise.samples.length] ?? 0) * noiseLevel) / noise.level;
      return clipped((voice[i] ?? 0) + under);
    });
    this.#sample += frameSamples;
    this.#call.incoming.hear(encodeG711('pcmu', mixed));
    await this.#call.clock.advance(frameMs);
  }
}

const nobody = new Int16Array(frameSamples);
