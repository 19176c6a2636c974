import { networkInterfaces } from 'node:os';
import { classifyAddress } from '@va/core/adapter';
import { isUnspecified } from '@va/media';

/** Maximum number of addresses in an answer. The far end checks each of them. */
const maxAddresses = 8;

/**
 * Returns the public addresses of the port: the announced ones, else the bound one, else all of this
 * machine, except loopback addresses unless it has no others.
 */
export function candidateAddresses(bound: string, announced: readonly string[]): string[] {
  if (announced.length > 0) return [...announced];
  if (!isUnspecified(bound)) return [bound];
  const own = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ family, address }) => family === 'IPv4' || (bound === '::' && classifyAddress(address) !== 'linkLocal'));
  const outward = own.filter(({ internal }) => !internal);
  return (outward.length > 0 ? outward : own).map(({ address }) => address).slice(0, maxAddresses);
}
