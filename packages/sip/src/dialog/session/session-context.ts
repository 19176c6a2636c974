import type { Clock, Logger, RandomBytes, Timer } from '@va/core';
import type { SipRequest } from '../../message/message.ts';
import type { PeerResolver } from '../../resolve/peer-resolver.ts';
import type { ClientTransaction, ClientTransactionUser } from '../../transaction/client-transaction.ts';
import type { Flow } from '../../transport/flow.ts';
import type { SipTimers } from '../../transport/timers.ts';
import type { Target } from '../../transport/transport-layer.ts';
import type { DialogRegistry } from '../dialog-user.ts';

/** What invitations and sessions need of the user agent. */
export interface SessionContext {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: RandomBytes;
  readonly timers: SipTimers;
  readonly userAgent: string;
  /** How long a session may live without a refresh, in calls that we make; 0 asks for no refreshes. */
  readonly sessionSeconds: number;
  /** The shortest such time that we agree to. */
  readonly leastSessionSeconds: number;
  readonly dialogs: DialogRegistry;
  /** Where peers are that are known by a name. */
  readonly peers: Pick<PeerResolver, 'resolve' | 'failed' | 'allows'>;
  /** Null when no datagram socket of that address family is open. */
  flowTo(target: Target): Flow | null;
  /** Whether few bytes must go to that source, as its address may be forged. */
  mayBeForged(flow: Flow): boolean;
  /** Keeps the way open by which the peer reaches us, until it is cancelled. */
  keepAlive(flow: Flow): Timer;
  request(request: SipRequest, flow: Flow, user: ClientTransactionUser, branch?: string): ClientTransaction;
  /** The bytes of an ACK for a 2xx, to be sent as often as the 2xx comes. */
  prepareAck(ack: SipRequest, flow: Flow): Uint8Array;
}
