import { createAddressPolicy } from '@va/core/adapter';
import type { SipOptions, SipTimers, TlsIdentity } from '@va/sip';
import { type Environment, registrationsOf } from './environment.ts';
import type { ServeFlags } from './flags.ts';
import { fileOf, invalid, namedValue, oneOf, wholeNumber } from './option-values.ts';

/** Converts the options of `va serve` to those of `sip()`. */
export function sipOptionsOf(values: ServeFlags, env: Environment): SipOptions {
  const { 'trunk-check-seconds': check, 'media-workers': workers, codecs, srtp } = values;
  const registrations = registrationsOf(env);
  return {
    listen: values.sip ?? ['udp://0.0.0.0:5060', 'tcp://0.0.0.0:5060'],
    inbound: oneOf('--inbound', values.inbound, ['trunks', 'open']),
    addresses: createAddressPolicy({ allowed: values['trunk-network'] ?? [] }),
    ...tlsOf(values, env),
    ...(values['redirect-host'] !== undefined && { redirectHosts: values['redirect-host'] }),
    ...(registrations.length > 0 && { registrations }),
    ...(values['public-address'] !== undefined && { publicAddress: values['public-address'] }),
    ...(values['dns-server'] !== undefined && { dnsServers: values['dns-server'] }),
    ...(check !== undefined && { trunkCheckMs: wholeNumber('--trunk-check-seconds', check, 0, 3_600) * 1_000 }),
    ...sourceGuardOf(values),
    ...(values['sip-timers'] !== undefined && { timers: timersOf(values['sip-timers']) }),
    ...(values['user-agent'] !== undefined && { userAgent: values['user-agent'] }),
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

function tlsOf(values: ServeFlags, env: Environment): Pick<SipOptions, 'tls'> {
  const {
    'tls-cert': cert,
    'tls-key': key,
    'tls-ca': ca,
    'tls-client-certificates': clients,
    'tls-name': names = [],
  } = values;
  if ((cert === undefined) !== (key === undefined)) throw invalid('--tls-cert and --tls-key belong together.');
  const passphrase = env.VA_SIP_TLS_PASSPHRASE;
  const tls = {
    ...(cert !== undefined && { cert: fileOf('--tls-cert', cert) }),
    ...(key !== undefined && { key: fileOf('--tls-key', key) }),
    ...(passphrase ? { passphrase } : {}),
    ...(names.length > 0 && { names: Object.fromEntries(names.map(identityOf)) }),
    ...(ca !== undefined && { ca: fileOf('--tls-ca', ca) }),
    ...(clients !== undefined && {
      clientCertificates: oneOf('--tls-client-certificates', clients, ['none', 'optional', 'required']),
    }),
    ...(values['tls-no-verify'] && { verify: false }),
  };
  return Object.keys(tls).length === 0 ? {} : { tls };
}

function identityOf(text: string): readonly [host: string, identity: TlsIdentity] {
  const [host, files] = namedValue('--tls-name', text);
  const [cert = '', key = '', more] = files.split(',');
  if (key === '' || more !== undefined) throw invalid(`--tls-name ${text} is invalid: expected HOST=CERT,KEY.`);
  return [host, { cert: fileOf('--tls-name', cert), key: fileOf('--tls-name', key) }];
}

/** Maps the names of `--source-limit` to the options of `sip()`. */
const sourceLimits = {
  requests: 'requests',
  calls: 'calls',
  'requests-in-all': 'requestsInAll',
  refusals: 'refusals',
  'refusals-per-second': 'refusalsPerSecond',
  'trusted-minutes': 'trustedMs',
} as const;
type SourceLimit = keyof typeof sourceLimits;
const sourceLimitNames = Object.keys(sourceLimits) as SourceLimit[];

function sourceGuardOf(values: ServeFlags): Pick<SipOptions, 'sourceGuard'> {
  const { 'source-limit': given = [], 'trusted-source': trusted, 'no-source-guard': isOff } = values;
  if (isOff) return { sourceGuard: false };
  const limits: Partial<Record<(typeof sourceLimits)[SourceLimit], number>> = {};
  for (const text of given) {
    const [name, value] = namedValue('--source-limit', text);
    const limit = oneOf('--source-limit', name, sourceLimitNames);
    const number = wholeNumber('--source-limit', value, 0, 1_000_000);
    limits[sourceLimits[limit]] = limit === 'trusted-minutes' ? number * 60_000 : number;
  }
  if (given.length === 0 && trusted === undefined) return {};
  return { sourceGuard: { ...limits, ...(trusted !== undefined && { trusted }) } };
}

function timersOf(text: string): SipTimers {
  const parts = text.split(',');
  if (parts.length !== 3) throw invalid(`--sip-timers ${text} is invalid: expected T1,T2,T4 in ms.`);
  const [t1Ms = 0, t2Ms = 0, t4Ms = 0] = parts.map((part) => wholeNumber('--sip-timers', part, 10, 60_000));
  return { t1Ms, t2Ms, t4Ms };
}

function portRange(text: string): readonly [number, number] {
  const [, min = '', max = ''] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  const range = [Number(min), Number(max)] as const;
  if (min !== '' && range[0] >= 1_024 && range[0] < range[1] && range[1] <= 65_535) return range;
  throw invalid(`--rtp-ports ${text} is not a range of ports: expected something like 20000-29998.`);
}
