import { z } from 'zod';
import type { SettingsOf } from '../shared/options/options.ts';
import { queryOptions } from '../shared/options/vendor-options.ts';

/** Query parameters that the adapter and the host decide about. */
const reserved = [
  ...['model', 'language', 'encoding', 'sample_rate', 'channels', 'multichannel', 'container', 'interim_results'],
  ...['endpointing', 'keyterm', 'keywords', 'callback', 'callback_method', 'mip_opt_out', 'tag', 'token'],
];

/** Settings of `stt_config` for the models of `/v1/listen`, under the names of the service. */
const novaShape = {
  smart_format: z.boolean().optional(),
  punctuate: z.boolean().optional(),
  dictation: z.boolean().optional(),
  /** Keeps "uh" and "um". English only. */
  filler_words: z.boolean().optional(),
  /** Words to replace in transcripts, as `find:replacement`; `find:` removes the word. */
  replace: z
    .array(
      z
        .string()
        .regex(/^[^:]+:[^:]*$/, 'must have the form find:replacement')
        .max(200),
    )
    .max(100)
    .optional(),
};

/** Settings for both kinds of models. */
const commonShape = {
  numerals: z.boolean().optional(),
  profanity_filter: z.boolean().optional(),
  /**
   * Categories to leave out of transcripts, such as `pci` or `numbers`. Flux accepts `numbers` and
   * `aggressive_numbers`.
   */
  redact: z
    .array(
      z
        .string()
        .regex(/^[a-z_]+$/)
        .max(50),
    )
    .max(20)
    .optional(),
};

/** Settings of Flux. */
const fluxShape = {
  eot_threshold: z.number().min(0.5).max(0.9).optional(),
  /** Reports probable ends of turns early, so that replies can be prepared. */
  eager_eot_threshold: z.number().min(0.3).max(0.9).optional(),
  eot_timeout_ms: z.int().min(500).max(10_000).optional(),
  /** Languages to expect, for `flux-general-multi`. Default: that of `language`. */
  language_hints: z.array(z.string().min(2).max(20)).max(10).optional(),
};

/** @see https://developers.deepgram.com/reference/speech-to-text/listen-streaming */
export const optionsSchema = z.object({
  ...novaShape,
  ...commonShape,
  ...fluxShape,
  /** Further query parameters of the service. */
  options: queryOptions(reserved),
});

/** Validated settings of `stt_config`. */
export type DeepgramSettings = SettingsOf<typeof optionsSchema>;

type DeepgramQuery = Record<string, string | readonly string[]>;

function queryOf(settings: DeepgramSettings, names: readonly string[]): DeepgramQuery {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => {
      if (!names.includes(name) || value === undefined) return [];
      return [[name, Array.isArray(value) ? value.map(String) : String(value)] as const];
    }),
  );
}

function furtherQuery({ options = {} }: DeepgramSettings): DeepgramQuery {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  );
}

/** Returns the settings as query parameters of `/v1/listen`. */
export function novaQuery(settings: DeepgramSettings): DeepgramQuery {
  return { ...furtherQuery(settings), ...queryOf(settings, Object.keys({ ...novaShape, ...commonShape })) };
}

/** Returns the settings as query parameters of `/v2/listen`. */
export function fluxQuery({ language_hints, ...settings }: DeepgramSettings): DeepgramQuery {
  return {
    ...furtherQuery(settings),
    ...queryOf(settings, Object.keys({ ...commonShape, ...fluxShape })),
    ...(language_hints !== undefined && { language_hint: language_hints }),
  };
}
