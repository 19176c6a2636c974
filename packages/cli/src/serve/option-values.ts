import { readFileSync } from 'node:fs';
import { VaError } from '@va/core';

/** Reads the file named by an option. */
export function fileOf(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw invalid(`${option} ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Parses an integer from `min` to `max`. */
export function wholeNumber(option: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw invalid(`${option} ${text} is invalid: expected a whole number from ${min} to ${max}.`);
}

/** Returns the text if it is one of the accepted values. */
export function oneOf<T extends string>(option: string, text: string, accepted: readonly T[]): T {
  const found = accepted.find((each) => each === text);
  if (found !== undefined) return found;
  throw invalid(`${option} ${text} is unknown: expected ${accepted.join(', ')}.`);
}

/** Creates the error of an option with an invalid value. */
export function invalid(message: string): VaError {
  return new VaError('invalid_options', message);
}

/** Splits `NAME=VALUE`. */
export function namedValue(option: string, text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  if (at > 0 && at < text.length - 1) return [text.slice(0, at), text.slice(at + 1)];
  throw invalid(`${option} ${text} is invalid: expected NAME=VALUE.`);
}
