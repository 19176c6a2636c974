import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import {
  type Answer,
  decode,
  encode,
  type Packet,
  type Question,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
} from 'dns-packet';

export type DnsRecords =
  /** Texts of any length; they are sent as character strings of at most 255 bytes. */
  | { readonly type: 'TXT'; readonly texts: readonly string[] }
  | { readonly type: 'MX'; readonly exchanges: readonly { readonly exchange: string; readonly priority: number }[] }
  | { readonly type: 'CNAME'; readonly target: string }
  | { readonly type: 'A' | 'AAAA'; readonly addresses: readonly string[]; readonly ttlSeconds?: number }
  | { readonly type: 'SRV'; readonly services: readonly DnsService[] }
  | { readonly type: 'NAPTR'; readonly pointers: readonly DnsPointer[] };

/** @see RFC 2782 */
export interface DnsService {
  readonly target: string;
  readonly port: number;
  readonly priority: number;
  readonly weight: number;
}

/** @see RFC 3403 */
export interface DnsPointer {
  readonly order: number;
  readonly preference: number;
  readonly flags: string;
  readonly service: string;
  readonly replacement: string;
}

export type DnsFault = 'SERVFAIL' | 'REFUSED' | 'FORMERR' | 'silent' | 'garbage';

/** Response codes of RFC 1035 §4.1.1, as the low bits of a message's flags. */
const responseCodes = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;
const maxCharacterString = 255;
const defaultTtlSeconds = 60;

/** A recursive name server on a free UDP port of 127.0.0.1 that serves the records it was given. */
export class DnsServer {
  /** Received questions, as `TYPE name`. */
  readonly questions: string[] = [];
  readonly #socket: Socket = createSocket('udp4');
  readonly #names = new Map<string, DnsRecords[]>();
  readonly #faults = new Map<string, DnsFault>();

  static async start(): Promise<DnsServer> {
    const server = new DnsServer();
    server.#socket.on('message', (message, peer) => server.#received(message, peer));
    await new Promise<void>((resolve) => server.#socket.bind(0, '127.0.0.1', resolve));
    return server;
  }

  /** `address:port`, the form that resolvers accept. */
  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  /** Publishes records under a name, replacing those of the same type. */
  publish(name: string, records: DnsRecords): void {
    const others = (this.#names.get(name.toLowerCase()) ?? []).filter(({ type }) => type !== records.type);
    this.#names.set(name.toLowerCase(), [...others, records]);
  }

  /** Removes a name and all its records. */
  withdraw(name: string): void {
    this.#names.delete(name.toLowerCase());
  }

  /** Fails every question about the name from now on; `null` ends this. */
  fail(name: string, fault: DnsFault | null): void {
    if (fault === null) this.#faults.delete(name.toLowerCase());
    else this.#faults.set(name.toLowerCase(), fault);
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
  }

  #received(message: Buffer, peer: RemoteInfo): void {
    const query = decode(message);
    const [question] = query.questions ?? [];
    if (question === undefined) return;
    this.questions.push(`${question.type} ${question.name}`);
    const fault = this.#faults.get(question.name.toLowerCase());
    if (fault === 'silent') return;
    const answer = fault === 'garbage' ? Buffer.from('malformed DNS message') : this.#answer(query, question, fault);
    this.#socket.send(answer, peer.port, peer.address);
  }

  #answer(query: Packet, question: Question, fault: keyof typeof responseCodes | undefined): Buffer {
    const known = this.#names.has(question.name.toLowerCase());
    const code = fault ?? (known ? 'NOERROR' : 'NXDOMAIN');
    return encode({
      type: 'response',
      id: query.id ?? 0,
      flags: RECURSION_DESIRED | RECURSION_AVAILABLE | responseCodes[code],
      questions: [question],
      answers: code === 'NOERROR' ? this.#answers(question.name, question.type) : [],
    });
  }

  /** Returns the answers to a question; follows aliases, as a recursive server does. */
  #answers(name: string, type: string): Answer[] {
    const records = this.#names.get(name.toLowerCase()) ?? [];
    const direct = records.filter((each) => each.type === type).flatMap((each) => toAnswers(name, each));
    const alias = records.find((each) => each.type === 'CNAME');
    if (direct.length > 0 || alias === undefined) return direct;
    return [...toAnswers(name, alias), ...this.#answers(alias.target, type)];
  }
}

function toAnswers(name: string, records: DnsRecords): Answer[] {
  const common = { name, ttl: defaultTtlSeconds };
  switch (records.type) {
    case 'TXT':
      return records.texts.map((text) => ({ ...common, type: 'TXT', data: characterStrings(text) }));
    case 'MX':
      return records.exchanges.map(({ exchange, priority }) => ({
        ...common,
        type: 'MX',
        data: { exchange, preference: priority },
      }));
    case 'CNAME':
      return [{ ...common, type: 'CNAME', data: records.target }];
    case 'A':
    case 'AAAA': {
      const { type, addresses, ttlSeconds: ttl = defaultTtlSeconds } = records;
      return addresses.map((data) => ({ name, ttl, type, data }));
    }
    case 'SRV':
      return records.services.map((data) => ({ ...common, type: 'SRV', data }));
    case 'NAPTR':
      return records.pointers.map(({ service, ...rest }) => ({
        ...common,
        type: 'NAPTR',
        data: { ...rest, services: service, regexp: '' },
      }));
  }
}

function characterStrings(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  const count = Math.max(1, Math.ceil(bytes.length / maxCharacterString));
  return Array.from({ length: count }, (_, at) =>
    bytes.subarray(at * maxCharacterString, (at + 1) * maxCharacterString),
  );
}
