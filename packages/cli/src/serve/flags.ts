import { parseArgs } from 'node:util';

/** The options of `va serve`, for `parseArgs`. */
export const flags = {
  help: { type: 'boolean', short: 'h', default: false },
  port: { type: 'string', default: '8080' },
  host: { type: 'string', default: '127.0.0.1' },
  'public-url': { type: 'string' },
  'trusted-proxy': { type: 'string', multiple: true },
  data: { type: 'string', default: './va-data' },
  'allow-private-webhooks': { type: 'boolean', default: false },
  'local-speech': { type: 'boolean', default: false },
  carrier: { type: 'string', multiple: true },
  'web-calls': { type: 'boolean', default: false },
  'web-origin': { type: 'string', multiple: true },
  'node-url': { type: 'string' },
  sip: { type: 'string', multiple: true },
  'no-sip': { type: 'boolean', default: false },
  inbound: { type: 'string', default: 'trunks' },
  'public-address': { type: 'string' },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  'tls-ca': { type: 'string' },
  'tls-name': { type: 'string', multiple: true },
  'tls-client-certificates': { type: 'string' },
  'tls-no-verify': { type: 'boolean', default: false },
  'dns-server': { type: 'string', multiple: true },
  'trunk-network': { type: 'string', multiple: true },
  'redirect-host': { type: 'string', multiple: true },
  'trunk-check-seconds': { type: 'string' },
  'trusted-source': { type: 'string', multiple: true },
  'source-limit': { type: 'string', multiple: true },
  'no-source-guard': { type: 'boolean', default: false },
  'sip-timers': { type: 'string' },
  'user-agent': { type: 'string' },
  'rtp-ports': { type: 'string' },
  'rtp-address': { type: 'string' },
  'media-workers': { type: 'string' },
  'media-timeout': { type: 'string' },
  'media-source': { type: 'string' },
  'allow-private-media': { type: 'boolean', default: false },
  codecs: { type: 'string' },
  srtp: { type: 'string' },
} as const;

/** The parsed options of `va serve`. */
export type ServeFlags = ReturnType<typeof parseArgs<{ options: typeof flags }>>['values'];

/** @throws TypeError for an unknown option */
export function parseFlags(args: readonly string[]): ServeFlags {
  return parseArgs({ args: [...args], options: flags }).values;
}
