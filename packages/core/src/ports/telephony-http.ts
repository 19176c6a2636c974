import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * HTTP interface of a telephony adapter, for far ends that reach the service over HTTP: webhooks of carriers, media
 * streams, browsers. `@va/http` serves it below `<base>/telephony/<id of the adapter>`. The adapter MUST authenticate
 * each request itself, by a signature or a token: API keys are not checked here.
 */
export interface TelephonyHttp {
  /**
   * Serves a request. Its URL starts with the service's `publicUrl` even behind a proxy, because far ends sign the
   * public URL. Its body has been read and is at most 64 KiB. The response may be delayed, for example until an agent
   * accepts a call; the signal of the request aborts when the far end disconnects. A rejection results in a 500.
   */
  fetch?(request: Request): Promise<Response>;
  /**
   * Takes over a connection that asks for an upgrade (RFC 9110 §7.8). The adapter MUST answer or destroy the socket.
   *
   * @param url the request's public URL, with the scheme `https` or `http`
   * @param clientAddress address of the client; behind proxies that the host trusts, the one that they report. Null or
   *   absent if unknown.
   */
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer, url: URL, clientAddress?: string | null): void;
}
