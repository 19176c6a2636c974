import type { Environment } from './environment.ts';
import { parseFlags } from './flags.ts';
import { wholeNumber } from './option-values.ts';
import type { ServeOptions } from './serve.ts';
import { sipOptionsOf } from './sip-options.ts';
import { socketTelephonyOf } from './socket-telephony.ts';

export const serveUsage = `Usage: va serve [options]    Runs the service: REST API, SIP, carriers and web calls.

API
  --port 8080                of the API
  --host 127.0.0.1           address that the API listens on
  --public-url URL           where the API is reached from outside
  --trusted-proxy ADDRESS    address or block of a proxy whose X-Forwarded-For is trusted; may be repeated
  --data ./va-data           database and recordings; DATABASE_URL (PostgreSQL) replaces the database
  --allow-private-webhooks   allow webhooks to this machine and its private network
  --local-speech             offer the providers pocketsphinx, scripted and flite too; for demos and trials

Carriers and browsers, over the port of the API; both need --public-url
  --carrier NAME[=URL]       twilio, telnyx, plivo or vonage, and another URL of its API; may be repeated
  --web-calls                take calls from browsers, and serve their script as /va-web.js
  --web-origin ORIGIN        take web calls from pages of this origin only; may be repeated
  --node-url URL             where this node is reached from outside, if there are several

SIP
  --no-sip                   listen for no SIP
  --sip udp://0.0.0.0:5060   listen address (udp, tcp, tls); may be repeated
  --inbound trunks|open      who may call: your SIP trunks, or anybody (for trials with a softphone)
  --public-address IP        address that callers reach this machine at, behind NAT
  --tls-cert FILE            certificate for tls:// addresses, PEM
  --tls-key FILE             its key, PEM; VA_SIP_TLS_PASSPHRASE if it is encrypted
  --tls-ca FILE              authorities for the peers' certificates, PEM; Node's by default
  --tls-name HOST=CERT,KEY   certificate and key files for callers that ask for that name (SNI); may be repeated
  --tls-client-certificates none|optional|required
  --tls-no-verify            accept any certificate of the servers that calls go out to
  --dns-server ADDRESS       DNS server for trunks; may be repeated
  --trunk-network ADDRESS    address, block or name of your own network where trunks may be; may be repeated
  --redirect-host HOST       host that calls may be redirected to (3xx); may be repeated
  --trunk-check-seconds 30   interval of OPTIONS to trunks; 0 turns it off
  --trusted-source ADDRESS   address or block without the limits of untrusted sources; may be repeated
  --source-limit NAME=N      limit of untrusted sources; may be repeated: requests=200 and calls=10 at once of one,
                             requests-in-all=4000 of all, refusals=100 in a row, then refusals-per-second=5,
                             trusted-minutes=60 that the address of a trunk is exempt
  --no-source-guard          answer every source, behind a proxy that keeps scanners out
  --sip-timers 500,4000,5000 T1, T2 and T4 of RFC 3261, ms
  --user-agent NAME          what the service calls itself in Server and User-Agent
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

/**
 * Parses the options of `va serve`; null for `--help`.
 * @throws VaError `invalid_options`; TypeError for an unknown option
 */
export function serveOptionsOf(args: readonly string[], env: Environment): ServeOptions | null {
  const values = parseFlags(args);
  if (values.help) return null;
  const publicUrl = values['public-url'];
  const timeout = values['media-timeout'];
  return {
    host: values.host,
    port: wholeNumber('--port', values.port, 0, 65_535),
    sip: values['no-sip'] ? null : sipOptionsOf(values, env),
    sockets: socketTelephonyOf(values),
    trustedProxies: values['trusted-proxy'] ?? [],
    dataDir: values.data,
    allowPrivateWebhooks: values['allow-private-webhooks'],
    localSpeech: values['local-speech'],
    ...(timeout !== undefined && { mediaTimeoutSeconds: wholeNumber('--media-timeout', timeout, 1, 86_400) }),
    ...(publicUrl !== undefined && { publicUrl }),
    ...(env.DATABASE_URL ? { databaseUrl: env.DATABASE_URL } : {}),
  };
}
