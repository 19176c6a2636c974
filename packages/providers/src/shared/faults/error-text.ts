/**
 * Returns the message of an error. The error of a connection to several addresses has no message, and that of `fetch`
 * is only "fetch failed": for these the messages of the causes are returned, separated by semicolons.
 */
export function errorText(error: Error): string {
  const causes = error instanceof AggregateError ? error.errors : [error.cause];
  const reasons = causes.filter((cause) => cause instanceof Error).map(errorText);
  const isSpecific = error.message !== '' && error.message !== 'fetch failed';
  if (isSpecific || reasons.length === 0) return error.message || error.name;
  return [...new Set(reasons)].join('; ');
}
