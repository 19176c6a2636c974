import { toError } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import { loadSileroVad } from '../vad/silero.ts';
import type { VadBatcher } from '../vad/vad-batcher.ts';
import type { VoiceActivityDetector } from '../vad/voice-activity.ts';
import type { PlaneSettings } from './messages.ts';

type CreateBatcher = (detector: VoiceActivityDetector) => VadBatcher;

/** The voice activity detectors of one worker, loaded once each. */
export class Detectors {
  readonly #logger: Logger;
  readonly #createBatcher: CreateBatcher;
  readonly #batchers = new Map<string, VadBatcher>();
  /** Detectors by module URL; null for a module that failed to load. */
  readonly #loaded = new Map<string, VoiceActivityDetector | null>();
  /** Loads in progress: calls that start at the same time wait for the same load. */
  readonly #loading = new Map<string, Promise<void>>();

  constructor(logger: Logger, createBatcher: CreateBatcher) {
    this.#logger = logger;
    this.#createBatcher = createBatcher;
  }

  /** Returns the batcher of a detector; null if the main thread detects speech. Throws if its module failed to load. */
  batcherOf(detector: PlaneSettings['detector']): VadBatcher | null {
    if (detector === null) return null;
    const name = detector === 'silero' ? detector : detector.module;
    const known = this.#batchers.get(name);
    if (known !== undefined) return known;
    const model = detector === 'silero' ? loadSileroVad() : (this.#loaded.get(name) ?? null);
    if (model === null) throw new Error(`The voice activity detector ${name} is not loaded.`);
    const batcher = this.#createBatcher(model);
    this.#batchers.set(name, batcher);
    return batcher;
  }

  /** Resolves when the detector's module is loaded, or has failed to load; null if nothing is to be loaded. */
  load(detector: PlaneSettings['detector']): Promise<void> | null {
    if (detector === null || detector === 'silero' || this.#loaded.has(detector.module)) return null;
    const loading = this.#loading.get(detector.module) ?? this.#import(detector.module);
    this.#loading.set(detector.module, loading);
    return loading;
  }

  /** Imports a module. Never rejects: `batcherOf` throws for a module that failed to load. */
  async #import(module: string): Promise<void> {
    try {
      const loaded: { createDetector(): VoiceActivityDetector } = await import(module);
      this.#loaded.set(module, loaded.createDetector());
    } catch (thrown) {
      this.#loaded.set(module, null);
      this.#logger.error({ err: toError(thrown), module }, 'failed to load a voice activity detector');
    }
  }
}
