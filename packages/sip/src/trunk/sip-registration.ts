import { type Logger, VaError } from '@va/core';
import { parseNameAddr } from '../message/name-addr.ts';
import type { TransportName } from '../transport/address.ts';
import type { UserAgent } from '../user-agent.ts';
import { trunkPeer } from './trunk-peer.ts';

/** An account at a provider who wants to be told where its calls shall go. */
export interface SipRegistration {
  /** `host` or `host:port` of the registrar. */
  readonly address: string;
  /** `udp` by default. */
  readonly transport?: TransportName;
  readonly username: string;
  readonly password: string;
  /** The user part of the account's address, where it is not the user name. */
  readonly account?: string;
  /** How long a registration shall last; the provider may say otherwise. Ten minutes by default. */
  readonly expiresSeconds?: number;
}

/**
 * Keeps the account registered until the agent closes.
 * @throws VaError `sip_registration` where the account or its address is malformed
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
      logger.warn(
        { ...about, status, retryInMs, reason: state.message },
        'the registration failed, and is tried again',
      );
    },
  );
}
