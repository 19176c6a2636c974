import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { PendingConnections, refuseUpgrade, systemRandom, type TelephonyHost } from '@va/core/adapter';
import { WebSocketServer } from 'ws';
import type { JsonFields } from '../web/fields.ts';
import { awaitStart } from './await-start.ts';
import type { AwaitingStream, OpenMediaStream } from './awaiting-stream.ts';
import { MediaStream } from './media-stream.ts';
import type { StreamStart } from './stream-protocol.ts';
import { TokenMap } from './token-map.ts';

/** Maximum size of a message in bytes. */
const maxMessageBytes = 524_288;
/** Limits of connections that have not sent a token yet. Carriers connect from few addresses, and send it at once. */
const pendingLimits = { max: 200, maxPerAddress: 50 };

/** A call that waits for its stream, with the checks that its stream must pass. */
export interface ExpectedStream {
  readonly call: AwaitingStream;
  /** The carrier's call id; null until it is known. */
  readonly callId: string | null;
  /** Checks the upgrade request; absent if the token is sufficient. */
  readonly isProven?: (headers: IncomingHttpHeaders) => boolean;
}

export interface StreamServerOptions {
  /** Parses the start message of a stream; null for any other message. */
  readonly readStart: (message: JsonFields) => StreamStart | null;
  /** Location of the token: the path of the URL, or the start message. */
  readonly tokenIn: 'path' | 'start';
  /** Selects the sub-protocol; false for none. */
  readonly chooseProtocol?: (offered: Set<string>) => string | false;
}

/** Accepts the media streams of a carrier. Each must present the single-use token of a call. */
export class StreamServer {
  readonly #options: StreamServerOptions;
  readonly #sockets: WebSocketServer;
  readonly #expected = new TokenMap<ExpectedStream>(systemRandom);
  readonly #pending = new PendingConnections(pendingLimits);

  constructor(options: StreamServerOptions) {
    this.#options = options;
    this.#sockets = new WebSocketServer({
      noServer: true,
      maxPayload: maxMessageBytes,
      perMessageDeflate: false,
      handleProtocols: options.chooseProtocol ?? (() => false),
    });
  }

  /** Registers a call that waits for its stream, and returns its token. */
  expect(stream: ExpectedStream): string {
    return this.#expected.add(stream);
  }

  forget(token: string): void {
    this.#expected.remove(token);
  }

  /**
   * Handles the upgrade request of a media stream. Refuses it with 404 without a valid path or token.
   * @param path path of the URL after the adapter's id
   * @param clientAddress null if unknown
   */
  upgrade(
    host: TelephonyHost,
    request: IncomingMessage,
    [socket, head]: [Duplex, Buffer],
    { path, clientAddress }: { readonly path: string; readonly clientAddress: string | null },
  ): void {
    const { tokenIn } = this.#options;
    const [, token = null] = /^\/stream(?:\/([0-9a-f]{32}))?$/.exec(path) ?? [];
    const isStream = tokenIn === 'path' ? token !== null : path === '/stream';
    const expected = tokenIn === 'path' ? this.#expected.take(token) : null;
    if (!isStream || (tokenIn === 'path' && expected === null)) {
      if (isStream) host.logger.warn({}, 'refused a media stream without a valid token');
      refuseUpgrade(socket, 404);
      return;
    }
    const { clock } = host;
    const known = expected === null ? this.#pending.add(clientAddress, () => socket.destroy()) : () => {};
    socket.once('close', known);
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      awaitStart(webSocket, { clock, read: this.#options.readStart }, (start) => {
        known();
        if (start === null) return;
        const found = expected ?? this.#expected.take(start.token);
        const isCall = found?.callId === null || start.callId === null || found?.callId === start.callId;
        if (found === null || !isCall || found.isProven?.(request.headers) === false) {
          host.logger.warn({ call: start.callId }, 'refused a media stream without a valid token or signature');
          webSocket.close(1008);
          return;
        }
        const { protocol } = start;
        const open: OpenMediaStream = (settings) => new MediaStream(webSocket, { protocol, clock, ...settings });
        if (found.call.connected(start.callId, open) === null) webSocket.close(1000);
      });
    });
  }

  close(): void {
    this.#sockets.close();
    for (const socket of this.#sockets.clients) socket.terminate();
  }
}
