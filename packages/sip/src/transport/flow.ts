import type { Endpoint } from '@va/media';
import type { SipAddress, TransportName } from './address.ts';

/** A way to one peer: a connection, or a datagram socket with a destination. */
export interface Flow {
  readonly transport: TransportName;
  /** Whether the transport repeats what is lost, so that transactions need not. */
  readonly reliable: boolean;
  readonly remote: Endpoint;
  /** Our socket that it belongs to. */
  readonly bound?: SipAddress;
  /** What the peer shall be told as our address: in Via, Contact and SDP. */
  readonly advertised: Endpoint;
  /** Whether the peer is asked to send its own requests over this connection too. @see RFC 5923 */
  readonly mayAlias?: boolean;
  /** False once a connection has closed; datagram flows stay open. */
  readonly open: boolean;
  /** Tells a connection that its peer is no stranger: it may stay open for long without a message. */
  trust?(): void;
  /** Never throws; a failure is told to the listener of the transport. */
  send(bytes: Uint8Array): void;
}

/** What a transport tells the layer above it. */
export interface TransportListener {
  /** Bytes of one message. */
  onBytes(bytes: Uint8Array, flow: Flow): void;
  /** What was sent, or is waited for, on this flow will not come. */
  onFailure(flow: Flow, error: Error): void;
}
