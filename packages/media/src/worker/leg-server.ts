import type { OpusLibrary } from '../codec/opus-codec.ts';
import { Ticker } from '../plane/ticker.ts';
import { RtpLeg } from '../rtp/rtp-leg.ts';
import type { Clock } from '../runtime/clock.ts';
import { toError } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import type { RandomBytes } from '../runtime/random.ts';
import { loadSileroVad } from '../vad/silero.ts';
import { VadBatcher } from '../vad/vad-batcher.ts';
import type { VoiceActivityDetector } from '../vad/voice-activity.ts';
import type { Outbox } from './event-batcher.ts';
import { HostedLeg, type LegHost } from './hosted-leg.ts';
import type { PlaneSettings } from './messages.ts';
import type { Addressed, LegCommand } from './protocol.ts';

interface MediaHostOptions {
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly opus: OpusLibrary | null;
  readonly outbox: Outbox;
}

/** The legs of one worker. */
export class MediaHost implements LegHost {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ticker: Ticker;
  readonly #options: MediaHostOptions;
  readonly #legs = new Map<number, HostedLeg>();
  /** Legs for which something is being opened or loaded, with what they were told meanwhile. */
  readonly #waiting = new Map<number, LegCommand[]>();
  readonly #judges = new Map<string, VadBatcher>();
  /** By their modules; null where it could not be loaded. */
  readonly #detectors = new Map<string, VoiceActivityDetector | null>();
  /** Of the same modules: calls that begin at once wait for the same. */
  readonly #loading = new Map<string, Promise<void>>();

  constructor(options: MediaHostOptions) {
    this.#options = options;
    this.clock = options.clock;
    this.logger = options.outbox.logger;
    this.ticker = new Ticker(options.clock);
  }

  do({ leg, what }: Addressed<LegCommand>): void {
    const waiting = this.#waiting.get(leg);
    if (waiting !== undefined) waiting.push(what);
    else if (what.type === 'open') void this.#after(leg, this.#open(leg, what), []);
    else {
      const missing = this.#missing(what);
      if (missing !== null) void this.#after(leg, this.#load(missing), [what]);
      else {
        this.#legs.get(leg)?.do(what);
        if (what.type === 'close') this.#legs.delete(leg);
      }
    }
  }

  /** Closes all legs. */
  close(): void {
    for (const leg of this.#legs.values()) leg.do({ type: 'close' });
    this.#legs.clear();
  }

  find(leg: number): HostedLeg | undefined {
    return this.#legs.get(leg);
  }

  hear(leg: number, frame: Uint8Array | null): void {
    this.#options.outbox.hear(leg, frame);
  }

  tell: LegHost['tell'] = (leg, happening) => this.#options.outbox.tell(leg, happening);

  judgeOf(detector: PlaneSettings['detector']): VadBatcher | null {
    if (detector === null) return null;
    const name = detector === 'silero' ? detector : detector.module;
    const known = this.#judges.get(name);
    if (known !== undefined) return known;
    const made = detector === 'silero' ? loadSileroVad() : this.#detectors.get(name);
    if (made === undefined || made === null) throw new Error(`The detector of ${name} is not loaded.`);
    const judge = new VadBatcher(made, this.clock, () => this.ticker.keepTime());
    this.#judges.set(name, judge);
    return judge;
  }

  /** What the leg is told meanwhile is done after it. */
  async #after(leg: number, work: Promise<void>, waiting: LegCommand[]): Promise<void> {
    this.#waiting.set(leg, waiting);
    await work;
    this.#waiting.delete(leg);
    for (const what of waiting) this.do({ leg, what });
  }

  /** Never rejects. */
  async #open(id: number, { address, port }: Extract<LegCommand, { type: 'open' }>): Promise<void> {
    const { clock, random, opus } = this.#options;
    try {
      const rtp = await RtpLeg.open({ clock, random, opus, address, port, onRead: () => this.ticker.keepTime() });
      this.#legs.set(id, new HostedLeg(id, rtp, this));
      this.tell(id, { type: 'opened', port: rtp.port });
    } catch (thrown) {
      const { message, code } = toError(thrown) as NodeJS.ErrnoException;
      this.tell(id, { type: 'not-opened', message, code });
    }
  }

  /** The module of a detector that has to be loaded before the command can be carried out. */
  #missing(what: LegCommand): string | null {
    if (what.type !== 'media' || what.command.type !== 'start') return null;
    const { detector } = what.command.settings;
    if (detector === null || detector === 'silero' || this.#detectors.has(detector.module)) return null;
    return detector.module;
  }

  #load(module: string): Promise<void> {
    const loading = this.#loading.get(module) ?? this.#import(module);
    this.#loading.set(module, loading);
    return loading;
  }

  /** Never rejects: the calls that ask for it fail, as they ask for it. */
  async #import(module: string): Promise<void> {
    try {
      const loaded: { createDetector(): VoiceActivityDetector } = await import(module);
      this.#detectors.set(module, loaded.createDetector());
    } catch (thrown) {
      this.#detectors.set(module, null);
      this.logger.error({ err: toError(thrown), module }, 'a voice activity detector could not be loaded');
    }
  }
}
