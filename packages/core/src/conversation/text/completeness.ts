export function completeness(
  text: string,
  _language: string | undefined,
): 'complete' | 'open' | 'unfinished' | 'spelling' {
  return / (and|my|en)$/i.test(` ${text}`) ? 'unfinished' : 'open';
}
