import type { Logger } from '@va/core/adapter';
import { z } from 'zod';

/** Settings that a schema accepts; any of them may be absent. */
export type SettingsOf<Schema extends z.ZodObject> = {
  [Key in keyof z.infer<Schema>]?: Exclude<z.infer<Schema>[Key], undefined>;
};

/**
 * Reads a provider's settings from a config. An invalid value is dropped and logged, so that an agent stored before a
 * setting was validated still serves its callers.
 */
export function readOptions<Schema extends z.ZodObject>(
  schema: Schema,
  config: Readonly<Record<string, unknown>>,
  provider: string,
  logger: Logger,
): SettingsOf<Schema> {
  const own = Object.entries(config).filter(([key, value]) => key in schema.shape && value !== undefined);
  const whole = schema.safeParse(Object.fromEntries(own));
  if (whole.success) return whole.data as SettingsOf<Schema>;
  logger.warn({ provider, issues: z.prettifyError(whole.error) }, 'ignored invalid provider settings');
  const invalid = new Set(whole.error.issues.map(({ path }) => path[0]));
  const rest = schema.partial().safeParse(Object.fromEntries(own.filter(([key]) => !invalid.has(key))));
  return (rest.success ? rest.data : {}) as SettingsOf<Schema>;
}

/** Returns the language subtag of a BCP 47 tag in lower case: `en` for `en-US`. */
export function languageSubtagOf(tag: string | undefined): string | undefined {
  return tag?.split('-')[0]?.toLowerCase();
}

/** Returns the named settings that are set. */
export function pick<Settings extends object, Name extends keyof Settings>(
  settings: Settings,
  names: readonly Name[],
): Pick<Settings, Name> {
  const set = names.flatMap((name) => (settings[name] === undefined ? [] : [[name, settings[name]] as const]));
  return Object.fromEntries(set) as Pick<Settings, Name>;
}
