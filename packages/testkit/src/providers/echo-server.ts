import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';

/** Point at which an {@link EchoServer} ends each connection. HTTP requests get an error response in every case. */
export type EchoMode =
  /** Rejects requests and upgrades with this HTTP status. */
  | { readonly status: number }
  /** Accepts a WebSocket, and closes it with the text as the reason. */
  | { readonly closeCode: number }
  /** Sends messages with the text over the WebSocket, and then closes it in the same way. */
  | { readonly closeCode: number; readonly sends: 'text' | 'errors' };

/** Greetings of the vendors: an adapter may ignore other messages until the greeting of its vendor. */
const greetings: readonly object[] = [
  { type: 'session.updated' },
  { type: 'Begin' },
  { message_type: 'session_started' },
  { setupComplete: {} },
];

/** Returns error messages in the shapes of the vendors, and in mixtures of them, each with the text. */
function errorsWith(text: string): readonly object[] {
  const texts = { message: text, description: text, err_msg: text };
  return [
    { type: 'Error', ...texts, error: text },
    { type: 'ConfigureFailure', ...texts },
    { type: 'error', ...texts, error: { type: 'invalid_request_error', ...texts } },
    { type: 'conversation.item.input_audio_transcription.failed', item_id: 'item', error: texts },
    { error: text, ...texts },
    { message_type: 'auth_error', error: text },
  ];
}

/** A provider that repeats a text, such as the key of a request, in everything that it sends. */
export class EchoServer {
  readonly #server: Server = createServer();
  readonly #upgrades = new WebSocketServer({ noServer: true });
  readonly #text: string;
  readonly #mode: EchoMode;

  private constructor(text: string, mode: EchoMode) {
    this.#text = text;
    this.#mode = mode;
    const status = 'status' in mode ? mode.status : 401;
    this.#server.on('request', (request, response) => {
      request.resume();
      response.writeHead(status, { 'content-type': 'application/json' }).end(this.#body);
    });
    this.#server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  static async start(text: string, mode: EchoMode): Promise<EchoServer> {
    const server = new EchoServer(text, mode);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#upgrades.clients) socket.terminate();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  get #body(): string {
    const message = `Rejected: ${this.#text}`;
    return JSON.stringify({ message, detail: message, error: { message, type: 'fault', param: message, code: null } });
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const mode = this.#mode;
    if ('status' in mode) {
      const head = `HTTP/1.1 ${mode.status} ${STATUS_CODES[mode.status]}: ${this.#text}`;
      socket.end(`${head}\r\nContent-Length: ${this.#body.length}\r\nConnection: close\r\n\r\n${this.#body}`);
      return;
    }
    this.#upgrades.handleUpgrade(request, socket, head, (accepted) => {
      accepted.on('error', () => accepted.terminate());
      if ('sends' in mode) this.#send(accepted, mode.sends);
      accepted.close(mode.closeCode, this.#text);
    });
  }

  #send(socket: WebSocket, what: 'text' | 'errors'): void {
    if (what === 'text') socket.send(`Rejected: ${this.#text}`);
    else for (const each of [...greetings, ...errorsWith(this.#text)]) socket.send(JSON.stringify(each));
  }
}
