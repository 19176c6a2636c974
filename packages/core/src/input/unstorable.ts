import type { FieldFault } from '../errors.ts';

/** Maximum nesting: more than any configuration needs, and far below what exhausts a parser's stack. */
const maxDepth = 64;

/** Returns true for text with U+0000, which PostgreSQL cannot store, or with a lone surrogate. */
function isUnstorable(text: string): boolean {
  return text.includes('\0') || /\p{Surrogate}/u.test(text);
}

interface Visit {
  readonly value: unknown;
  readonly path: string;
  readonly depth: number;
}

/**
 * Returns a fault for text in JSON-like input that databases cannot store, or for too deep nesting; null if there is
 * none. Does not recurse, because the sender chooses the depth.
 */
export function findUnstorable(input: unknown): FieldFault | null {
  const pending: Visit[] = [{ value: input, path: '', depth: 0 }];
  for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
    const { value, path, depth } = visit;
    if (typeof value === 'string' && isUnstorable(value)) {
      return invalid(path, 'must not contain U+0000 or a lone surrogate');
    }
    if (typeof value !== 'object' || value === null) continue;
    if (depth === maxDepth) return invalid(path, `must not be nested deeper than ${maxDepth} levels`);
    for (const [key, inner] of Object.entries(value)) {
      if (isUnstorable(key)) return invalid(path, 'must not have U+0000 or a lone surrogate in a key');
      pending.push({ value: inner, path: path === '' ? key : `${path}.${key}`, depth: depth + 1 });
    }
  }
  return null;
}

function invalid(path: string, message: string): FieldFault {
  return { path, code: 'invalid_field', message };
}
