import { type Clock, type Logger, type RegistrationHealth, timestamp, VaError } from '@va/core/adapter';
import { parseNameAddr } from '../message/name-addr.ts';
import type { TransportName } from '../transport/address.ts';
import type { UserAgent } from '../user-agent.ts';
import type { RegistrationState } from './registration.ts';
import { trunkPeer } from './trunk-peer.ts';

/** An account at a provider that requires registration. */
export interface SipRegistration {
  /** `host` or `host:port` of the registrar. */
  readonly address: string;
  /** Default: `udp`. */
  readonly transport?: TransportName;
  /** User name for digest authentication. */
  readonly username: string;
  readonly password: string;
  /** User part of the account's address, if it differs from the user name. */
  readonly account?: string;
  /** Requested lifetime of a registration; the provider may change it. Default: ten minutes. */
  readonly expiresSeconds?: number;
}

/** Maximum length of a reason, which contains text of the registrar. */
const maxReasonLength = 200;

/** An account that is kept registered. */
export interface RegisteredAccount {
  readonly health: RegistrationHealth;
}

/**
 * Keeps the account registered until the agent closes.
 * @throws VaError `sip_registration` when the account or its address is malformed
 */
export function registerAccount(
  agent: UserAgent,
  registration: SipRegistration,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): RegisteredAccount {
  const { address, transport = 'udp', username, password, account = username, expiresSeconds } = registration;
  const peer = trunkPeer(address, transport);
  const uri = parseNameAddr(`<sip:${account}@${peer?.host ?? ''}>`);
  if (peer === null || uri === null) {
    throw new VaError(
      'sip_registration',
      `"${account}" cannot be registered at "${address}": expected host or host:port.`,
    );
  }
  const registered = { health: healthOf({ registrar: address, account }, { type: 'registering' }, clock, null) };
  agent.register(
    {
      registrar: `sip:${peer.host}`,
      account: uri,
      credentials: { username, password },
      expiresSeconds,
      targets: () => agent.peers.resolve(peer),
    },
    (state) => {
      const about = { registrar: address, account };
      registered.health = healthOf(about, state, clock, registered.health);
      if (state.type === 'registered') logger.info({ ...about, expiresSeconds: state.expiresSeconds }, 'registered');
      if (state.type !== 'failed') return;
      const { status, retryInMs } = state;
      logger.warn({ ...about, status, retryInMs, reason: state.message }, 'registration failed, retrying');
    },
  );
  return registered;
}

function healthOf(
  about: { readonly registrar: string; readonly account: string },
  state: RegistrationState,
  clock: Clock,
  before: RegistrationHealth | null,
): RegistrationHealth {
  const name = state.type === 'closed' ? 'registering' : state.type;
  const lasting = state.type === 'registered' ? state.expiresSeconds * 1_000 : null;
  return {
    ...about,
    state: name,
    // A refreshed registration, and one that fails again, is in the same state as before.
    since: before?.state === name ? before.since : timestamp(clock),
    expires_at: lasting === null ? null : new Date(clock.wallMs() + lasting).toISOString(),
    reason: state.type === 'failed' ? state.message.slice(0, maxReasonLength) : null,
  };
}
