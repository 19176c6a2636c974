import type { SrvRecord } from './sip-dns.ts';

/**
 * The order in which to try the records of a service: by priority, and among equals by a draw in which each has the
 * chance that its weight gives it.
 * @param random gives a number of 0 up to, and without, 1
 * @see RFC 2782
 */
export function orderSrv(records: readonly SrvRecord[], random: () => number): SrvRecord[] {
  const ordered: SrvRecord[] = [];
  // Those without weight stand first, so that they have a small chance too.
  const waiting = [...records].sort((a, b) => a.priority - b.priority || a.weight - b.weight);
  while (waiting.length > 0) {
    const priority = waiting[0]?.priority;
    const equals = waiting.filter((each) => each.priority === priority);
    const sum = equals.reduce((total, { weight }) => total + weight, 0);
    const drawn = Math.floor(random() * (sum + 1));
    let running = 0;
    const chosen = equals.findIndex(({ weight }) => {
      running += weight;
      return running >= drawn;
    });
    ordered.push(...waiting.splice(Math.max(0, chosen), 1));
  }
  return ordered;
}
