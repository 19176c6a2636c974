import { readFileSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { createAddressPolicy, VaError } from '@va/core';
import type { SipOptions } from '@va/sip';
import { type Environment, registrationsOf } from './environment.ts';
import type { ServeOptions } from './serve.ts';

export const serveUsage = `Usage: va serve [options]    Runs the service: REST API and SIP.

API
  --port 8080                of the API
  --host 127.0.0.1           address that the API listens on
  --public-url URL           where the API is reached from outside
  --data ./va-data           database and recordings; DATABASE_URL (PostgreSQL) replaces the database
  --allow-private-webhooks   allow webhooks to this machine and its private network
  --local-speech             offer the providers pocketsphinx, scripted and flite too; for demos and trials

SIP
  --sip udp://0.0.0.0:5060   listen address (udp, tcp, tls); may be repeated
  --inbound trunks|open      who may call: your SIP trunks, or anybody (for trials with a softphone)
  --public-address IP        address that callers reach this machine at, behind NAT
  --tls-cert FILE            certificate for tls:// addresses, PEM
  --tls-key FILE             its key, PEM; VA_SIP_TLS_PASSPHRASE if it is encrypted
  --tls-ca FILE              authorities for the peers' certificates, PEM; Node's by default
  --tls-client-certificates none|optional|required
  --tls-no-verify            accept any certificate of the servers that calls go out to
  --dns-server ADDRESS       DNS server for trunks; may be repeated
  --trunk-network ADDRESS    address, block or name of your own network where trunks may be; may be repeated
  --redirect-host HOST       host that calls may be redirected to (3xx); may be repeated
  --trunk-check-seconds 30   interval of OPTIONS to trunks; 0 turns it off
  --trusted-source ADDRESS   address or block without the limits of strangers; may be repeated
  --no-source-guard          answer every stranger, behind a proxy that keeps scanners out
  VA_SIP_REGISTRATIONS       accounts to register, JSON:
                             [{"address":"pbx.example.com","username":"va","password":"…"}]

Media
  --rtp-ports 20000-29998    UDP ports of media; any free ports by default
  --rtp-address IP           address that media sockets are bound to
  --media-workers 1          threads for media
  --media-timeout 15         seconds without media until a call is ended
  --media-source latch|strict   which sources of RTP are accepted
  --allow-private-media      send media to private addresses of peers that signal from public ones
  --codecs pcmu,pcma         preferred first: pcmu, pcma, g722, opus
  --srtp offered|required|off
`;

const flags = {
  help: { type: 'boolean', short: 'h', default: false },
  port: { type: 'string', default: '8080' },
  host: { type: 'string', default: '127.0.0.1' },
  'public-url': { type: 'string' },
  data: { type: 'string', default: './va-data' },
  'allow-private-webhooks': { type: 'boolean', default: false },
  'local-speech': { type: 'boolean', default: false },
  sip: { type: 'string', multiple: true, default: ['udp://0.0.0.0:5060', 'tcp://0.0.0.0:5060'] },
  inbound: { type: 'string', default: 'trunks' },
  'public-address': { type: 'string' },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  'tls-ca': { type: 'string' },
  'tls-client-certificates': { type: 'string' },
  'tls-no-verify': { type: 'boolean', default: false },
  'dns-server': { type: 'string', multiple: true },
  'trunk-network': { type: 'string', multiple: true, default: [] },
  'redirect-host': { type: 'string', multiple: true },
  'trunk-check-seconds': { type: 'string' },
  'trusted-source': { type: 'string', multiple: true },
  'no-source-guard': { type: 'boolean', default: false },
  'rtp-ports': { type: 'string' },
  'rtp-address': { type: 'string' },
  'media-workers': { type: 'string' },
  'media-timeout': { type: 'string' },
  'media-source': { type: 'string' },
  'allow-private-media': { type: 'boolean', default: false },
  codecs: { type: 'string' },
  srtp: { type: 'string' },
} satisfies ParseArgsConfig['options'];

type Values = ReturnType<typeof parse>;

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], options: flags }).values;
}

/**
 * Reads the options of `va serve`; null when only its usage was asked for.
 * @throws VaError `invalid_option`; TypeError for an unknown option
 */
export function serveOptionsOf(args: readonly string[], env: Environment): ServeOptions | null {
  const values = parse(args);
  if (values.help) return null;
  const publicUrl = values['public-url'];
  const timeout = values['media-timeout'];
  return {
    host: values.host,
    port: wholeNumber('--port', values.port, 0, 65_535),
    sip: sipOptionsOf(values, env),
    dataDir: values.data,
    allowPrivateWebhooks: values['allow-private-webhooks'],
    localSpeech: values['local-speech'],
    ...(timeout !== undefined && { mediaTimeoutSeconds: wholeNumber('--media-timeout', timeout, 1, 86_400) }),
    ...(publicUrl !== undefined && { publicUrl }),
    ...(env.DATABASE_URL ? { databaseUrl: env.DATABASE_URL } : {}),
  };
}

function sipOptionsOf(values: Values, env: Environment): SipOptions {
  const { 'trunk-check-seconds': check, 'media-workers': workers, codecs, srtp } = values;
  const registrations = registrationsOf(env);
  return {
    listen: values.sip,
    inbound: oneOf('--inbound', values.inbound, ['trunks', 'open']),
    addresses: createAddressPolicy({ allowed: values['trunk-network'] }),
    ...tlsOf(values, env),
    ...(values['redirect-host'] !== undefined && { redirectHosts: values['redirect-host'] }),
    ...(registrations.length > 0 && { registrations }),
    ...(values['public-address'] !== undefined && { publicAddress: values['public-address'] }),
    ...(values['dns-server'] !== undefined && { dnsServers: values['dns-server'] }),
    ...(check !== undefined && { trunkCheckMs: wholeNumber('--trunk-check-seconds', check, 0, 3_600) * 1_000 }),
    ...(values['trusted-source'] !== undefined && { sourceGuard: { trusted: values['trusted-source'] } }),
    ...(values['no-source-guard'] && { sourceGuard: false as const }),
    ...(values['rtp-ports'] !== undefined && { rtpPortRange: portRange(values['rtp-ports']) }),
    ...(values['rtp-address'] !== undefined && { rtpAddress: values['rtp-address'] }),
    ...(workers !== undefined && { mediaWorkers: wholeNumber('--media-workers', workers, 0, 64) }),
    ...(values['media-source'] !== undefined && {
      mediaSource: oneOf('--media-source', values['media-source'], ['latch', 'strict']),
    }),
    ...(values['allow-private-media'] && { allowPrivateMedia: true }),
    ...(codecs !== undefined && {
      codecs: codecs.split(',').map((each) => oneOf('--codecs', each.trim(), ['pcmu', 'pcma', 'g722', 'opus'])),
    }),
    ...(srtp !== undefined && { srtp: oneOf('--srtp', srtp, ['offered', 'required', 'off']) }),
  };
}

function tlsOf(values: Values, env: Environment): Pick<SipOptions, 'tls'> {
  const { 'tls-cert': cert, 'tls-key': key, 'tls-ca': ca, 'tls-client-certificates': clients } = values;
  if ((cert === undefined) !== (key === undefined)) throw invalid('--tls-cert and --tls-key belong together.');
  const passphrase = env.VA_SIP_TLS_PASSPHRASE;
  const tls = {
    ...(cert !== undefined && { cert: fileOf('--tls-cert', cert) }),
    ...(key !== undefined && { key: fileOf('--tls-key', key) }),
    ...(passphrase ? { passphrase } : {}),
    ...(ca !== undefined && { ca: fileOf('--tls-ca', ca) }),
    ...(clients !== undefined && {
      clientCertificates: oneOf('--tls-client-certificates', clients, ['none', 'optional', 'required']),
    }),
    ...(values['tls-no-verify'] && { verify: false }),
  };
  return Object.keys(tls).length === 0 ? {} : { tls };
}

function fileOf(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw invalid(`${option} ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function portRange(text: string): readonly [number, number] {
  const [, min = '', max = ''] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  const range = [Number(min), Number(max)] as const;
  if (min !== '' && range[0] >= 1_024 && range[0] < range[1] && range[1] <= 65_535) return range;
  throw invalid(`--rtp-ports ${text} is not a range of ports: expected something like 20000-29998.`);
}

function wholeNumber(option: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw invalid(`${option} ${text} is invalid: expected a whole number from ${min} to ${max}.`);
}

function oneOf<T extends string>(option: string, text: string, accepted: readonly T[]): T {
  const found = accepted.find((each) => each === text);
  if (found !== undefined) return found;
  throw invalid(`${option} ${text} is unknown: expected ${accepted.join(', ')}.`);
}

function invalid(message: string): VaError {
  return new VaError('invalid_option', message);
}
