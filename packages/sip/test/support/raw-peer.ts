import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { freePort } from '@va/test-servers/sip-peers';
import type { SipMessage, SipRequest, SipResponse } from '../../src/message/message.ts';
import { parseMessage } from '../../src/message/parse.ts';
import { type RequestParts, requestText, wire } from './messages.ts';

const timeoutMs = 8_000;

export interface Answer {
  readonly toTag?: string;
  readonly sdp?: string;
  /** Port of the Contact, or its whole URI. */
  readonly contact?: number | string;
  /** Complete header lines. */
  readonly headers?: readonly string[];
}

/** A UDP peer under the full control of a test. */
export class RawPeer {
  readonly #socket: Socket;
  readonly #waiting: (() => void)[] = [];
  /** All received messages, oldest first. */
  readonly received: SipMessage[] = [];
  readonly #taken = new Set<SipMessage>();
  readonly #agentAddress: string;
  #agentPort: number;
  #onMessage: (message: SipMessage) => void = () => {};
  /** Callbacks of barriers, by the Call-ID of their request. */
  readonly #barriers = new Map<string, () => void>();
  #barrierCount = 0;

  private constructor(socket: Socket, agentPort: number, agentAddress: string) {
    this.#socket = socket;
    this.#agentAddress = agentAddress;
    this.#agentPort = agentPort;
    socket.on('message', (bytes, from) => {
      const result = parseMessage(bytes);
      if (!result.ok) throw new Error(`the agent sent a malformed message: ${result.fault.message}`);
      this.#agentPort ||= from.port;
      if (this.#passBarrier(result.message)) return;
      this.received.push(result.message);
      this.#onMessage(result.message);
      for (const wake of this.#waiting.splice(0)) wake();
    });
  }

  /**
   * @param agentPort destination port; 0 for the source of the first message
   * @param address local IPv4 address
   */
  static async open(agentPort = 0, agentAddress = '127.0.0.1', address = '127.0.0.1'): Promise<RawPeer> {
    const isV6 = isIPv6(agentAddress);
    const socket = createSocket(isV6 ? 'udp6' : 'udp4');
    // A test may listen by TCP on the same port.
    const port = isV6 ? 0 : await freePort();
    await new Promise<void>((resolve) => {
      socket.bind(port, isV6 ? '::1' : address, resolve);
    });
    return new RawPeer(socket, agentPort, agentAddress);
  }

  get port(): number {
    return this.#socket.address().port;
  }

  send(text: string): void {
    this.sendBytes(wire(text));
  }

  sendBytes(bytes: Uint8Array): void {
    this.#socket.send(bytes, this.#agentPort, this.#agentAddress);
  }

  request(parts: RequestParts): void {
    this.send(requestText({ port: this.port, ...parts }));
  }

  /** Responds to a request of the agent. */
  respond(request: SipRequest, status: number, options: Answer = {}): void {
    const to = request.headers.get('To') ?? '';
    const lines = [`SIP/2.0 ${status} Because`];
    for (const via of request.headers.all('Via')) lines.push(`Via: ${via}`);
    lines.push(`From: ${request.headers.get('From')}`, `Call-ID: ${request.headers.get('Call-ID')}`);
    lines.push(`To: ${to}${options.toTag === undefined ? '' : `;tag=${options.toTag}`}`);
    const { contact = this.port } = options;
    lines.push(`CSeq: ${request.headers.get('CSeq')}`);
    lines.push(`Contact: <${typeof contact === 'string' ? contact : `sip:peer@127.0.0.1:${contact}`}>`);
    lines.push(...(options.headers ?? []));
    const body = (options.sdp ?? '').replace(/\r?\n/g, '\r\n');
    if (body !== '') lines.push('Content-Type: application/sdp');
    lines.push(`Content-Length: ${body.length}`, '', body);
    this.send(lines.join('\n'));
  }

  /** Answers each BYE from now on, and those received before. */
  agreeToEveryBye(): void {
    const agree = (message: SipMessage) => {
      if (message.kind === 'request' && message.method === 'BYE') this.respond(message, 200);
    };
    for (const message of this.received) agree(message);
    this.#onMessage = agree;
  }

  /** Waits for the next response of that status, ignoring retransmissions. */
  async response(status: number, method = ''): Promise<SipResponse> {
    const isIt = (message: SipMessage): boolean => answers(message, status, method) && this.#isNew(message);
    return (await this.#take(isIt, `${status} ${method}`)) as SipResponse;
  }

  /** Waits for a retransmission of an earlier response. */
  async repeatedResponse(status: number, method: string): Promise<SipResponse> {
    const isIt = (message: SipMessage): boolean => answers(message, status, method) && !this.#isNew(message);
    return (await this.#take(isIt, `${status} ${method} once more`)) as SipResponse;
  }

  /** Waits for the next request of that method, ignoring retransmissions, except for ACK, which has no other way. */
  async requested(method: string): Promise<SipRequest> {
    const isNew = (message: SipMessage) => method === 'ACK' || this.#isNew(message);
    const isIt = (message: SipMessage) => message.kind === 'request' && message.method === method && isNew(message);
    return (await this.#take(isIt, method)) as SipRequest;
  }

  /** Waits for a retransmission of an earlier request. */
  async repeated(method: string): Promise<SipRequest> {
    const found = await this.#take((message) => message.kind === 'request' && message.method === method, method);
    return found as SipRequest;
  }

  /**
   * Resolves when the agent has processed all messages sent before, and all messages that it sent until then have
   * arrived. Sends a request with the To tag of no dialog, which the agent answers with 481 although it limits
   * untrusted sources. `received` does not contain that response.
   */
  async barrier(): Promise<void> {
    this.#barrierCount += 1;
    const callId = `barrier-${this.#barrierCount}`;
    const passed = new Promise<void>((resolve) => {
      this.#barriers.set(callId, resolve);
    });
    this.request({ method: 'OPTIONS', callId, toTag: 'none' });
    await passed;
  }

  /** Number of distinct requests of that method, not counting retransmissions. */
  countRequests(method: string): number {
    const requests = this.received.filter((message) => message.kind === 'request' && message.method === method);
    return new Set(requests.map((message) => message.headers.get('Via'))).size;
  }

  /** Number of received messages that the test accepts. */
  count(accepts: (message: SipMessage) => boolean): number {
    return this.received.filter(accepts).length;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#socket.close(resolve);
    });
  }

  /** Returns whether the message is the response to a barrier. */
  #passBarrier(message: SipMessage): boolean {
    const pass = this.#barriers.get(message.headers.get('Call-ID') ?? '');
    pass?.();
    return pass !== undefined;
  }

  #isNew(message: SipMessage): boolean {
    return ![...this.#taken].some((each) => isSame(each, message));
  }

  async #take(accepts: (message: SipMessage) => boolean, what: string): Promise<SipMessage> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const found = this.received.find((message) => !this.#taken.has(message) && accepts(message));
      if (found !== undefined) {
        this.#taken.add(found);
        return found;
      }
      const leftMs = deadline - Date.now();
      const seen = this.received.map((each) => (each.kind === 'request' ? each.method : each.status)).join(', ');
      if (leftMs <= 0) throw new Error(`no ${what} arrived; received: ${seen}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }
}

function answers(message: SipMessage, status: number, method: string): boolean {
  return (
    message.kind === 'response' && message.status === status && (message.headers.get('CSeq') ?? '').endsWith(method)
  );
}

/** True for the same message, sent once more. */
function isSame(one: SipMessage, other: SipMessage): boolean {
  const [id, otherId] = [one, other].map((message) => [
    message.kind === 'request' ? message.method : message.status,
    ...['Via', 'CSeq', 'To'].map((name) => message.headers.get(name)),
  ]);
  return isDeepStrictEqual(id, otherId);
}

export function toTagOf(message: SipMessage): string {
  return /tag=([^;]+)/.exec(message.headers.get('To') ?? '')?.[1] ?? '';
}

export function bodyOf(message: Pick<SipMessage, 'body'>): string {
  return new TextDecoder().decode(message.body);
}
