import { inspect } from 'node:util';
import type { Logger } from '@va/core/adapter';

/** Returns a logger that adds each entry, with all its fields, to `entries` as text. */
export function recordingLogger(entries: string[]): Logger {
  const record = (...entry: readonly unknown[]): void => {
    entries.push(textOf(entry));
  };
  const logger: Logger = { debug: record, info: record, warn: record, error: record, child: () => logger };
  return logger;
}

/** Returns a value with its nested fields and the causes of errors as text. */
export function textOf(value: unknown): string {
  return inspect(value, { depth: 20, maxArrayLength: null, maxStringLength: null });
}
