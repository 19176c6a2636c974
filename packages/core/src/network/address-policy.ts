import ipaddr from 'ipaddr.js';
import { VaError } from '../errors.ts';

/**
 * Kinds of an IP address. `reserved` covers documentation, benchmarking, shared (RFC 6598) and unassigned ranges;
 * `translated` covers IPv6 addresses that a gateway turns into IPv4 ones (NAT64, 6to4, Teredo, SIIT).
 */
export type AddressKind =
  | 'public'
  | 'private'
  | 'loopback'
  | 'linkLocal'
  | 'multicast'
  | 'broadcast'
  | 'unspecified'
  | 'reserved'
  | 'translated'
  | 'metadata'
  | 'invalid';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Instance metadata and host services of cloud providers. Some of them lie in public or unique-local ranges. */
const metadataAddresses: ReadonlySet<string> = new Set([
  '169.254.169.254', // AWS, Google Cloud, Azure, OpenStack
  '169.254.170.2', // AWS ECS task credentials
  '168.63.129.16', // Azure host services
  '100.100.100.200', // Alibaba Cloud
  '192.0.0.192', // Oracle Cloud
  'fd00:ec2::254', // AWS over IPv6
  'fd20:ce::254', // Google Cloud over IPv6
]);

const kindOfRange: Readonly<Record<string, AddressKind>> = {
  unicast: 'public',
  private: 'private',
  uniqueLocal: 'private',
  deprecatedSiteLocal: 'private',
  loopback: 'loopback',
  linkLocal: 'linkLocal',
  multicast: 'multicast',
  broadcast: 'broadcast',
  unspecified: 'unspecified',
  rfc6145: 'translated',
  rfc6052: 'translated',
  '6to4': 'translated',
  teredo: 'translated',
};

/**
 * Classifies an IP address in any spelling. An IPv4-mapped IPv6 address is classified as its IPv4 address.
 *
 * @example classifyAddress('::ffff:10.0.0.1'); // as of 10.0.0.1
 */
export function classifyAddress(text: string): AddressKind {
  const address = parse(text);
  if (address === null) return 'invalid';
  if (metadataAddresses.has(address.toString())) return 'metadata';
  const kind = kindOfRange[address.range()] ?? 'reserved';
  return kind === 'public' && isIpv4Compatible(address) ? 'translated' : kind;
}

/**
 * Returns true for an address of the public internet.
 *
 * @example isPublicAddress('10.0.0.1'); // false
 */
export function isPublicAddress(address: string): boolean {
  return classifyAddress(address) === 'public';
}

/** Options of `createAddressPolicy`. */
export interface AddressPolicyOptions {
  /**
   * Default true: only addresses of the public internet are allowed. With false, private, loopback, link-local and
   * reserved addresses are allowed too; multicast, broadcast, unspecified and cloud-metadata addresses stay refused.
   */
  readonly publicOnly?: boolean;
  /**
   * Targets that are allowed regardless of their kind: IP addresses, CIDR blocks (`10.20.0.0/16`), host names
   * (`pbx.internal`), and `*.example.com` for the names below a domain. A listed name allows all addresses that it
   * resolves to.
   */
  readonly allowed?: readonly string[];
}

/** Decides which addresses the service contacts on behalf of a tenant or a caller. */
export interface AddressPolicy {
  /** @param host the name that resolved to the address, where there is one */
  allows(address: string, host?: string): boolean;
}

const alwaysRefused: ReadonlySet<AddressKind> = new Set([
  'invalid',
  'multicast',
  'broadcast',
  'unspecified',
  'metadata',
]);

/**
 * Creates the policy that webhooks, tools, trunks, SIP targets and RTP share.
 * @throws VaError `invalid_address_policy` for an entry of `allowed` that is neither an address, a CIDR block nor a
 *   host name
 * @example createAddressPolicy({ allowed: ['10.20.0.0/16', 'pbx.internal'] });
 */
export function createAddressPolicy({ publicOnly = true, allowed = [] }: AddressPolicyOptions = {}): AddressPolicy {
  const blocks: (readonly [Address, number])[] = [];
  const names = new Set<string>();
  for (const entry of allowed) {
    const block = parseBlock(entry);
    if (block !== null) blocks.push(block);
    else names.add(checkedName(entry));
  }
  return {
    allows(address, host) {
      const parsed = parse(address);
      if (parsed === null) return false;
      if (host !== undefined && isListed(names, normalizedName(host))) return true;
      if (blocks.some((block) => isWithin(parsed, block))) return true;
      const kind = classifyAddress(address);
      return publicOnly ? kind === 'public' : !alwaysRefused.has(kind);
    },
  };
}

function parse(text: string): Address | null {
  return ipaddr.isValid(text) ? ipaddr.process(text) : null;
}

function parseBlock(entry: string): readonly [Address, number] | null {
  const address = parse(entry);
  if (address !== null) return [address, address.kind() === 'ipv4' ? 32 : 128];
  return ipaddr.isValidCIDR(entry) ? ipaddr.parseCIDR(entry) : null;
}

function isWithin(address: Address, [network, bits]: readonly [Address, number]): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/** `::a.b.c.d`, which IPv4-mapped addresses replaced and some systems still route. @see RFC 4291 §2.5.5.1 */
function isIpv4Compatible(address: Address): boolean {
  const bytes = address.toByteArray();
  return bytes.length === 16 && bytes.slice(0, 12).every((byte) => byte === 0);
}

function checkedName(entry: string): string {
  const name = normalizedName(entry);
  if (/^(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(name)) return name;
  throw new VaError(
    'invalid_address_policy',
    `${JSON.stringify(entry)} is neither an IP address, a CIDR block, a host name nor "*." before a domain.`,
  );
}

function isListed(names: ReadonlySet<string>, host: string): boolean {
  if (names.has(host)) return true;
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
    if (names.has(`*${host.slice(dot)}`)) return true;
  }
  return false;
}

function normalizedName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
