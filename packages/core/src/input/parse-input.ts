import type { z } from 'zod';
import { type FieldFault, RequestError } from '../errors.ts';
import { findUnstorable } from './unstorable.ts';

const maxFaults = 50;
const maxTextCharacters = 200;

/**
 * Parses input. Throws a 400 that names all invalid fields. The error's code is that of the first one: `missing_field`,
 * `unknown_field`, `invalid_field`, or the schema's own (`params.code`).
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const unstorable = findUnstorable(input);
  if (unstorable !== null) throw invalidInput([unstorable]);
  return parseOutline(schema, input);
}

/** Like `parseInput`, for a schema that leaves parts of the input unchecked: does not look for unstorable text. */
export function parseOutline<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw invalidInput(faultsOf(parsed.error, input));
}

/**
 * Returns every invalid field with its path and a message.
 * @param at path of the input within the request
 */
export function faultsOf(error: z.ZodError, input: unknown, at: readonly PropertyKey[] = []): FieldFault[] {
  return error.issues
    .flatMap((issue) => toFaults(issue, input, []))
    .map(({ path, ...rest }) => ({ ...rest, path: [...at.map(String), ...(path === '' ? [] : [path])].join('.') }));
}

/**
 * Returns the 400 error for at least one invalid field. Limits the number and length of what it quotes: the input may
 * be a megabyte of faults.
 */
export function invalidInput(all: readonly FieldFault[]): RequestError {
  const faults = all.slice(0, maxFaults).map(bounded);
  const first = faults[0];
  const code = first?.code ?? 'invalid_field';
  const message = faults.map((fault) => (fault.path === '' ? fault.message : `${fault.path}: ${fault.message}`));
  const more = all.length > maxFaults ? `; and ${all.length - maxFaults} more` : '';
  return new RequestError(400, code, `${message.join('; ')}${more}`, faults);
}

function bounded({ path, code, message }: FieldFault): FieldFault {
  return { path: shortened(path), code, message: shortened(message) };
}

function shortened(text: string): string {
  return text.length > maxTextCharacters ? `${text.slice(0, maxTextCharacters)}…` : text;
}

/** Message of Zod for a union that has no message of its own. */
const defaultUnionMessage = 'Invalid input';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

function toFaults(issue: Issue, input: unknown, prefix: Path): FieldFault[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => fault([...path, key], 'unknown_field', 'is not a known field'));
  }
  if (issue.code === 'invalid_union' && issue.message === defaultUnionMessage) {
    const types = expectedTypes(issue.errors);
    if (types !== null) return [fault([...path, 'type'], 'invalid_field', `expected one of ${types.join(', ')}`)];
    const branch = nearestBranch(issue.errors);
    if (branch !== undefined) return branch.flatMap((inner) => toFaults(inner, input, path));
  }
  const ownCode = issue.code === 'custom' ? issue.params?.code : undefined;
  if (typeof ownCode === 'string') return [fault(path, ownCode, issue.message)];
  const missing = path.length > 0 && valueAt(input, path) === undefined;
  if (missing) return [fault(path, 'missing_field', 'is required')];
  return [fault(path, 'invalid_field', issue.message)];
}

/** Returns the accepted values of `type` if the given one matches no alternative. */
function expectedTypes(branches: readonly (readonly Issue[])[]): string[] | null {
  const types = branches.map((issues) =>
    issues.flatMap((issue) =>
      issue.code === 'invalid_value' && issue.path.length === 1 && issue.path[0] === 'type' ? issue.values : [],
    ),
  );
  return types.length > 1 && types.every((values) => values.length > 0) ? [...new Set(types.flat().map(String))] : null;
}

/** Returns the alternative that was probably meant: its `type` matches, with the fewest faults. */
function nearestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const filled = branches.filter((issues) => issues.length > 0);
  const typed = filled.filter((issues) => !issues.some((issue) => issue.path.length === 1 && issue.path[0] === 'type'));
  const candidates = typed.length > 0 ? typed : filled;
  return [...candidates].sort((a, b) => a.length - b.length)[0];
}

function valueAt(input: unknown, path: Path): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

function fault(path: Path, code: string, message: string): FieldFault {
  return { path: path.map(String).join('.'), code, message };
}
