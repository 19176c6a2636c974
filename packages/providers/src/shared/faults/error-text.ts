/**
 * Returns the message of an error. The errors of a connection to several addresses have none of their own, and `fetch`
 * says only that it failed: the messages of their causes are returned.
 */
export function errorText(error: Error): string {
  const causes = error instanceof AggregateError ? error.errors : [error.cause];
  const reasons = causes.filter((cause) => cause instanceof Error).map(errorText);
  const isSpecific = error.message !== '' && error.message !== 'fetch failed';
  if (isSpecific || reasons.length === 0) return error.message || error.name;
  return [...new Set(reasons)].join('; ');
}
