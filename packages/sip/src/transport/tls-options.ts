import {
  type ConnectionOptions,
  createSecureContext,
  type SecureContext,
  type TlsOptions as ServerOptions,
} from 'node:tls';
import { VaError } from '@va/core';

/** A certificate with its chain, and its private key, both PEM. */
export interface TlsIdentity {
  /** The certificate, followed by those of its intermediate authorities. */
  readonly cert: string | Uint8Array;
  readonly key: string | Uint8Array;
  /** Passphrase of an encrypted key. */
  readonly passphrase?: string;
}

/** Settings of `tls://` (RFC 3261 §26.3, RFC 5922). The minimum version is TLS 1.2. */
export interface TlsOptions extends Partial<TlsIdentity> {
  /** Certificate authorities of peers, PEM, instead of those that Node trusts. */
  readonly ca?: string | Uint8Array | readonly (string | Uint8Array)[];
  /** True if called peers must have a valid certificate for the requested name. Default: `true`. */
  readonly verify?: boolean;
  /** Requests certificates of callers, or requires valid ones. Default: `none`. */
  readonly clientCertificates?: 'none' | 'optional' | 'required';
  /** Further certificates by the name that a caller requests (SNI); the first one serves all other names. */
  readonly names?: Readonly<Record<string, TlsIdentity>>;
}

const minVersion = 'TLSv1.2';
/** Time limit of a TLS handshake. */
const handshakeTimeoutMs = 10_000;

function pem(value: string | Uint8Array): string | Buffer {
  return typeof value === 'string' ? value : Buffer.from(value);
}

function identityOf({ cert, key, passphrase }: Partial<TlsIdentity>) {
  return {
    ...(cert === undefined ? {} : { cert: pem(cert) }),
    ...(key === undefined ? {} : { key: pem(key) }),
    ...(passphrase === undefined ? {} : { passphrase }),
  };
}

function authoritiesOf({ ca }: TlsOptions): { ca?: (string | Buffer)[] } {
  if (ca === undefined) return {};
  const all = typeof ca === 'string' || ca instanceof Uint8Array ? [ca] : ca;
  return { ca: all.map(pem) };
}

/** Options for `createServer` of node:tls. @throws VaError `sip_tls_certificate` without a readable certificate */
export function serverOptions(options: TlsOptions): ServerOptions {
  if (options.cert === undefined || options.key === undefined) {
    throw new VaError('sip_tls_certificate', 'A tls:// address needs tls.cert and tls.key. Give both in PEM.');
  }
  const { clientCertificates = 'none', names = {} } = options;
  try {
    const contexts = new Map(
      Object.entries(names).map(([name, each]) => [name.toLowerCase(), contextOf(options, each)]),
    );
    const server: ServerOptions = {
      ...identityOf(options),
      ...authoritiesOf(options),
      minVersion,
      handshakeTimeout: handshakeTimeoutMs,
      requestCert: clientCertificates !== 'none',
      rejectUnauthorized: clientCertificates === 'required',
      SNICallback: (name, use) => use(null, contexts.get(name.toLowerCase())),
    };
    // Parses the certificate, so that a bad one is reported at start-up and not at each handshake.
    contextOf(options, { cert: options.cert, key: options.key, ...identityOf(options) });
    return server;
  } catch (error) {
    throw new VaError('sip_tls_certificate', 'tls.cert or tls.key cannot be read. Give both in PEM.', { cause: error });
  }
}

/** Options for `connect` of node:tls. */
export function clientOptions(options: TlsOptions): ConnectionOptions {
  return {
    ...identityOf(options),
    ...authoritiesOf(options),
    minVersion,
    rejectUnauthorized: options.verify ?? true,
  };
}

function contextOf(options: TlsOptions, identity: TlsIdentity): SecureContext {
  return createSecureContext({ ...identityOf(identity), ...authoritiesOf(options), minVersion });
}
