import type { Endpoint } from '@va/media';
import type { SipAddress, TransportName } from './address.ts';

/** A path to one peer: a connection, or a datagram socket with a destination. */
export interface Flow {
  readonly transport: TransportName;
  /** True if the transport retransmits lost data, so that transactions need not. */
  readonly reliable: boolean;
  readonly remote: Endpoint;
  /** Local socket of the flow. */
  readonly bound?: SipAddress;
  /** Local address that the peer is given in Via, Contact and SDP. */
  readonly advertised: Endpoint;
  /** True if the peer is asked to send its own requests over this connection too. @see RFC 5923 */
  readonly mayAlias?: boolean;
  /** False once a connection has closed; datagram flows stay open. */
  readonly open: boolean;
  /** Marks the peer of a connection as trusted: it may stay open for long without a message. */
  trust?(): void;
  /** Never throws; a failure is reported to the listener of the transport. */
  send(bytes: Uint8Array): void;
}

/** Callbacks of a transport to the layer above. */
export interface TransportListener {
  /** Bytes of one message. */
  onBytes(bytes: Uint8Array, flow: Flow): void;
  /** The flow failed: sent messages may be lost, and expected ones will not arrive. */
  onFailure(flow: Flow, error: Error): void;
}
