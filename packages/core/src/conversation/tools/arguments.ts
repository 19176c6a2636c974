/** Parses the arguments of a tool call; null if the model wrote an invalid object. */
export function parseArguments(json: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = json.trim() === '' ? {} : JSON.parse(json);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : null;
  } catch {
    return null;
  }
}
