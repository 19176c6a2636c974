import { z } from 'zod';

const maxOptions = 50;
const maxCharacters = 10_000;

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const names = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_.]*$/, 'must be an option name: a letter, then letters, digits, _ and .')
  .max(100);

function bounded<Value extends z.ZodType>(value: Value, reserved: readonly string[]) {
  return z
    .record(names, value)
    .refine((options) => Object.keys(options).length <= maxOptions, `takes at most ${maxOptions} options`)
    .refine(
      (options) => JSON.stringify(options).length <= maxCharacters,
      `takes at most ${maxCharacters} characters of JSON`,
    )
    .superRefine((options, { addIssue }) => {
      for (const name of Object.keys(options)) {
        if (reserved.includes(name)) addIssue({ code: 'custom', message: `${name} is set by the provider itself` });
      }
    })
    .optional();
}

/**
 * Schema of the setting `options`: query parameters of a service that have no setting of their own.
 * @param reserved names that the adapter or the host decides about, such as the encoding
 */
export function queryOptions(reserved: readonly string[]) {
  return bounded(z.union([scalar, z.array(scalar).max(100)]), reserved);
}

/**
 * Schema of the setting `options`: fields of a JSON message, which may be nested.
 * @param reserved see {@link queryOptions}
 */
export function bodyOptions(reserved: readonly string[]) {
  return bounded(z.json(), reserved);
}
