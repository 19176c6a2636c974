import type { SipAddress, SipOptions } from '@va/sip';

/** Returns the start-up lines about SIP: listening addresses, media ports and accepted callers. */
export function sipLines(
  addresses: readonly SipAddress[],
  { inbound = 'trunks', rtpPortRange, publicAddress, registrations = [] }: SipOptions,
): string[] {
  const outside = publicAddress === undefined ? '' : `, reached at ${publicAddress}`;
  const ports = rtpPortRange === undefined ? 'any free UDP ports' : `UDP ports ${rtpPortRange.join(' to ')}`;
  return [
    ...addresses.map(({ transport, address, port }) => {
      const host = address.includes(':') ? `[${address}]` : address;
      return `SIP  ${transport}://${host}:${port}${outside}`;
    }),
    `RTP  ${ports}`,
    ...registrations.map(({ address, username }) => `SIP  registers ${username} at ${address}`),
    inbound === 'open'
      ? 'Calls are accepted from anybody (--inbound open): for trials only.'
      : 'Calls are accepted from active SIP trunks only (--inbound trunks).',
  ];
}
