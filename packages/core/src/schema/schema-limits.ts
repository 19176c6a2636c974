/** Limits of a tenant's JSON Schema, checked before it is compiled or sent to the worker thread. */
const maxCharacters = 100_000;
const maxDepth = 64;
const maxReferences = 100;
const maxPatterns = 100;
const maxPatternCharacters = 1_000;

interface PendingValue {
  readonly value: unknown;
  readonly depth: number;
}

/** Returns what exceeds a limit, or null. Takes time linear in the size of the schema and does not recurse. */
export function schemaLimitFault(schema: Readonly<Record<string, unknown>>): string | null {
  let references = 0;
  let patterns = 0;
  const pending: PendingValue[] = [{ value: schema, depth: 1 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > maxDepth) return `is nested more than ${maxDepth} levels deep`;
    for (const [key, inner] of Object.entries(value)) {
      if (isReference(key) && typeof inner === 'string') {
        if (!inner.startsWith('#'))
          return 'has a reference to another document: only references within the schema are followed';
        references += 1;
      }
      const sources = patternsOf(key, inner);
      patterns += sources.length;
      if (sources.some((source) => source.length > maxPatternCharacters)) {
        return `has a pattern of more than ${maxPatternCharacters} characters`;
      }
      pending.push({ value: inner, depth: depth + 1 });
    }
  }
  if (references > maxReferences) return `has more than ${maxReferences} references`;
  if (patterns > maxPatterns) return `has more than ${maxPatterns} patterns`;
  return JSON.stringify(schema).length > maxCharacters ? `is longer than ${maxCharacters} characters` : null;
}

function isReference(key: string): boolean {
  return key === '$ref' || key === '$dynamicRef' || key === '$recursiveRef';
}

function patternsOf(key: string, value: unknown): readonly string[] {
  if (key === 'pattern' && typeof value === 'string') return [value];
  if (key === 'patternProperties' && typeof value === 'object' && value !== null) return Object.keys(value);
  return [];
}
