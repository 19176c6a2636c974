/** Returns the value of a `Vary` header with names added, each once. */
export function vary(existing: string | undefined, ...names: readonly string[]): string {
  const listed = existing === undefined ? [] : existing.split(',').map((name) => name.trim());
  const known = new Set(listed.map((name) => name.toLowerCase()));
  return [...listed, ...names.filter((name) => !known.has(name.toLowerCase()))].join(', ');
}
