/** Delays after the caller's last word, in milliseconds. */
export interface EndpointingDelays {
  /** Delay when the turn is certainly over. */
  readonly minMs: number;
  /** After a sentence that may or may not be complete. */
  readonly openMs: number;
  /** After words that are incomplete, or that the caller is spelling. */
  readonly unfinishedMs: number;
  readonly maxMs: number;
}

export const endpointingPresets = ['quick', 'balanced', 'patient'] as const;

const delaysOf: Readonly<Record<(typeof endpointingPresets)[number], EndpointingDelays>> = {
  quick: { minMs: 180, openMs: 500, unfinishedMs: 1_000, maxMs: 2_500 },
  balanced: { minMs: 225, openMs: 830, unfinishedMs: 1_800, maxMs: 3_000 },
  patient: { minMs: 500, openMs: 1_200, unfinishedMs: 2_400, maxMs: 5_000 },
};

/** The fields of `speech_config.endpointing` that name delays. */
interface DelaySettings {
  readonly preset: (typeof endpointingPresets)[number];
  readonly min_delay_ms: number | null;
  readonly open_delay_ms: number | null;
  readonly unfinished_delay_ms: number | null;
  readonly max_delay_ms: number | null;
}

/**
 * Returns the delays of the settings: those that are set, else those of the preset, clamped to the set minimum and
 * maximum.
 */
export function endpointingDelays(settings: DelaySettings): EndpointingDelays {
  const before = known.get(settings);
  if (before !== undefined) return before;
  const delays = resolved(settings);
  known.set(settings, delays);
  return delays;
}

/** Results by settings, because a call passes the same object again and again. */
const known = new WeakMap<DelaySettings, EndpointingDelays>();

function resolved(settings: DelaySettings): EndpointingDelays {
  const preset = delaysOf[settings.preset];
  const maxMs = settings.max_delay_ms ?? Math.max(preset.maxMs, settings.min_delay_ms ?? 0);
  const minMs = settings.min_delay_ms ?? Math.min(preset.minMs, maxMs);
  const within = (ms: number): number => Math.min(maxMs, Math.max(minMs, ms));
  return {
    minMs,
    openMs: settings.open_delay_ms ?? within(preset.openMs),
    unfinishedMs: settings.unfinished_delay_ms ?? within(preset.unfinishedMs),
    maxMs,
  };
}

/** Returns true if no delay contradicts another one. */
export function isAscending({ minMs, openMs, unfinishedMs, maxMs }: EndpointingDelays): boolean {
  return minMs <= openMs && openMs <= maxMs && minMs <= unfinishedMs && unfinishedMs <= maxMs;
}
