import type { SrvRecord } from './sip-dns.ts';

/**
 * Orders the records of a service for trying: by priority, and within a priority by a weighted random draw.
 * @param random returns a number from 0 up to, but not including, 1
 * @see RFC 2782
 */
export function orderSrv(records: readonly SrvRecord[], random: () => number): SrvRecord[] {
  const ordered: SrvRecord[] = [];
  // Records of weight 0 come first, so that they keep a small chance.
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
