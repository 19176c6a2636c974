import type { Clock, Logger, RandomBytes, Timer } from '@va/core/adapter';
import type { SipRequest } from '../../message/message.ts';
import type { PeerResolver } from '../../resolve/peer-resolver.ts';
import type { ClientTransaction, ClientTransactionUser } from '../../transaction/client-transaction.ts';
import type { Flow } from '../../transport/flow.ts';
import type { SipTimers } from '../../transport/timers.ts';
import type { Target } from '../../transport/transport-layer.ts';
import type { DialogRegistry } from '../dialog-user.ts';

/** Services of the user agent that INVITEs and sessions use. */
export interface SessionContext {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: RandomBytes;
  readonly timers: SipTimers;
  readonly userAgent: string;
  /** Session interval of outgoing calls, in seconds; 0 requests no refreshes. */
  readonly sessionSeconds: number;
  /** Shortest session interval that is accepted. */
  readonly minSessionSeconds: number;
  readonly dialogs: DialogRegistry;
  /** Looks up peers that are named by a host name. */
  readonly peers: Pick<PeerResolver, 'resolve' | 'failed' | 'allows'>;
  /** Returns null when no datagram socket of that address family is open. */
  flowTo(target: Target): Flow | null;
  /** Returns true if only few bytes may be sent to that source, because its address may be forged. */
  mayBeForged(flow: Flow): boolean;
  /** Keeps the NAT binding to the peer open until canceled. */
  keepAlive(flow: Flow): Timer;
  request(request: SipRequest, flow: Flow, user: ClientTransactionUser, branch?: string): ClientTransaction;
  /** Serializes an ACK for a 2xx; the same bytes are sent for each retransmission of the 2xx. */
  prepareAck(ack: SipRequest, flow: Flow): Uint8Array;
}
