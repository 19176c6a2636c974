/**
 * Returns the fully qualified names that a record of a mail domain may be meant for, the most probable first.
 *
 * Providers write names in three forms: fully qualified, relative to the domain (`send` of `news.example.com`), and
 * relative to the zone of the domain (`send.news`), as the zone's console expects. The forms are ambiguous: `news` of
 * `news.example.com` is the domain itself, or `news.news.example.com`.
 */
export function recordNames(name: string, domain: string): string[] {
  const written = name.trim().toLowerCase();
  if (written.endsWith('.')) return [written.slice(0, -1)];
  if (written === '' || written === '@') return [domain];
  const labels = domain.split('.');
  const overlapping = labels
    .map((_, at) => ({ shared: labels.slice(0, at + 1).join('.'), zone: labels.slice(at + 1).join('.') }))
    .filter(({ shared }) => written === shared || written.endsWith(`.${shared}`))
    .map(({ zone }) => (zone === '' ? written : `${written}.${zone}`))
    .reverse();
  // A name that ends with the whole domain is unambiguous.
  if (written === domain || written.endsWith(`.${domain}`)) return overlapping.slice(0, 1);
  return [...overlapping, `${written}.${domain}`];
}
