/** The arguments of a tool call, of which models write some that are none; null for those. */
export function parseArguments(json: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = json.trim() === '' ? {} : JSON.parse(json);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : null;
  } catch {
    return null;
  }
}
