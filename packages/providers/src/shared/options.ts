import type { Logger } from '@va/core';
import { z } from 'zod';

/**
 * Reads a provider's settings from a config. A value that the schema refuses is dropped and logged: an agent that was stored
 * before the setting was checked still serves its caller.
 */
export function readOptions<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  config: Readonly<Record<string, unknown>>,
  provider: string,
  logger: Logger,
): Partial<z.infer<z.ZodObject<Shape>>> {
  const own = Object.fromEntries(
    Object.keys(schema.shape).flatMap((key) => (key in config ? [[key, config[key]]] : [])),
  );
  const whole = schema.safeParse(own);
  if (whole.success) return whole.data;
  logger.warn({ provider, issues: z.prettifyError(whole.error) }, 'ignored invalid provider settings');
  const invalid = new Set(whole.error.issues.map(({ path }) => path[0]));
  const rest = schema.partial().safeParse(Object.fromEntries(Object.entries(own).filter(([key]) => !invalid.has(key))));
  return rest.success ? (rest.data as Partial<z.infer<z.ZodObject<Shape>>>) : {};
}

/** Returns the ISO 639-1 code of a BCP 47 tag: `en` for `en-US`. */
export function languageCodeOf(tag: string | undefined): string | undefined {
  return tag?.split('-')[0]?.toLowerCase();
}
