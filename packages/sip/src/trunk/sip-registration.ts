import { type Logger, VaError } from '@va/core/adapter';
import { parseNameAddr } from '../message/name-addr.ts';
import type { TransportName } from '../transport/address.ts';
import type { UserAgent } from '../user-agent.ts';
import { trunkPeer } from './trunk-peer.ts';

/** An account at a provider that requires registration. */
export interface SipRegistration {
  /** `host` or `host:port` of the registrar. */
  readonly address: string;
  /** Default: `udp`. */
  readonly transport?: TransportName;
  readonly username: string;
  readonly password: string;
  /** User part of the account's address, if it differs from the user name. */
  readonly account?: string;
  /** Requested lifetime of a registration; the provider may change it. Default: ten minutes. */
  readonly expiresSeconds?: number;
}

/**
 * Keeps the account registered until the agent closes.
 * @throws VaError `sip_registration` when the account or its address is malformed
 */
export function registerAccount(agent: UserAgent, registration: SipRegistration, logger: Logger): void {
  const { address, transport = 'udp', username, password, account = username, expiresSeconds } = registration;
  const peer = trunkPeer(address, transport);
  const uri = parseNameAddr(`<sip:${account}@${peer?.host ?? ''}>`);
  if (peer === null || uri === null) {
    throw new VaError(
      'sip_registration',
      `"${account}" cannot be registered at "${address}": expected host or host:port.`,
    );
  }
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
      if (state.type === 'registered') logger.info({ ...about, expiresSeconds: state.expiresSeconds }, 'registered');
      if (state.type !== 'failed') return;
      const { status, retryInMs } = state;
      logger.warn({ ...about, status, retryInMs, reason: state.message }, 'registration failed, retrying');
    },
  );
}
