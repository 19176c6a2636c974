import { createECDH, createHmac, type ECDH, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import type { Clock, RandomBytes } from '@va/core/adapter';
import type { SrtpSuiteName } from '@va/media';
import { ByteReader, MalformedMessage } from './byte-reader.ts';
import { type DtlsCertificate, publicKeyOf } from './certificate.ts';
import { type ClientHello, ecdsaSha256, parseClientHello, rsaSha256 } from './client-hello.ts';
import { type FlightRecord, FlightSender } from './flight-sender.ts';
import { HandshakeAssembler, type HandshakeMessage, handshakeTypes, writeHandshake } from './handshake-message.ts';
import {
  type DtlsSrtpKeys,
  extendedMasterSecret,
  type Randoms,
  recordKeys,
  srtpKeys,
  verifyData,
} from './key-schedule.ts';
import { contentTypes, type DtlsRecord, openRecord, parseRecords } from './record.ts';
import {
  certificateMessage,
  certificateRequest,
  helloVerifyRequest,
  serverHello,
  serverKeyExchange,
} from './server-messages.ts';

/** SRTP suites by DTLS profile, cheapest first. @see RFC 5764 §4.1.2, RFC 7714 §14.2 */
const srtpProfiles: ReadonlyMap<number, SrtpSuiteName> = new Map([
  [0x0001, 'AES_CM_128_HMAC_SHA1_80'],
  [0x0007, 'AEAD_AES_128_GCM'],
]);

/** @see RFC 5246 §7.2 */
const alerts = {
  closeNotify: 0,
  unexpectedMessage: 10,
  handshakeFailure: 40,
  badCertificate: 42,
  decodeError: 50,
  decryptError: 51,
} as const;
type Alert = keyof typeof alerts;
const fatal = 2;
const warning = 1;

/** The client's messages after the hello, in their order. */
const clientFlight: readonly number[] = [
  handshakeTypes.certificate,
  handshakeTypes.clientKeyExchange,
  handshakeTypes.certificateVerify,
  handshakeTypes.finished,
];
const cookieBytes = 16;

export interface DtlsServerOptions {
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly certificate: DtlsCertificate;
  /** Returns true if the fingerprint of the certificate is in the offer. */
  readonly isExpected: (certificate: Buffer) => boolean;
  readonly send: (datagram: Buffer) => void;
  readonly onConnected: (keys: DtlsSrtpKeys) => void;
  /** Called once, when the client closed the connection (`closed`) or with the reason why the handshake failed. */
  readonly onEnd: (reason: string) => void;
}

/** State after an accepted ClientHello. */
interface Negotiation {
  readonly randoms: Randoms;
  readonly suite: SrtpSuiteName;
  readonly ecdh: ECDH;
  /** Sequence number of the server's last message. */
  readonly lastSequence: number;
}

/**
 * The server's side of one DTLS 1.2 handshake: ECDHE on P-256, AES-128-GCM, the extended master secret, certificates on
 * both sides, and keys for SRTP. It carries no data, and does not renegotiate.
 * @see RFC 6347, RFC 5764, RFC 7627
 */
export class DtlsServer {
  readonly #options: DtlsServerOptions;
  readonly #sender: FlightSender;
  readonly #assembler = new HandshakeAssembler();
  readonly #cookieKey: Uint8Array;
  #transcript: Buffer[] = [];
  #negotiation: Negotiation | null = null;
  #clientKey: KeyObject | null = null;
  #master: Buffer | null = null;
  /** Index of the expected message in `clientFlight`. */
  #expected = 0;
  #lastSequence = -1;
  /** True if the datagram repeats a complete message. */
  #isRepeated = false;
  #isConnected = false;
  #isOver = false;

  constructor(options: DtlsServerOptions) {
    this.#options = options;
    this.#cookieKey = options.random(32);
    this.#sender = new FlightSender(options.clock, options.send);
  }

  /** @param from identifies the source address: a cookie proves that the client receives datagrams at this address */
  receive(datagram: Buffer, from: string): void {
    this.#isRepeated = false;
    for (const record of parseRecords(datagram)) {
      if (this.#isOver) return;
      try {
        this.#receiveRecord(record, from);
      } catch (thrown) {
        if (!(thrown instanceof MalformedMessage)) throw thrown;
        this.#fail('decodeError', 'a message was malformed');
      }
    }
    if (this.#isRepeated) this.#sender.repeatOnRequest();
  }

  /** Closes the connection or aborts the handshake. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#sender.close();
    if (this.#isConnected) this.#alert(warning, 'closeNotify');
  }

  #receiveRecord(record: DtlsRecord, from: string): void {
    if (record.epoch === 0) {
      // An unencrypted alert may be forged.
      if (record.type === contentTypes.handshake) this.#receiveHandshake(record.payload, false, from);
      return;
    }
    const { keys } = this.#sender;
    if (record.epoch !== 1 || keys === null || record.sequence <= this.#lastSequence) return;
    const plain = openRecord(keys, record);
    if (plain === null) return;
    this.#lastSequence = record.sequence;
    if (record.type === contentTypes.handshake) this.#receiveHandshake(plain, true, from);
    else if (record.type === contentTypes.alert) this.#receiveAlert(plain);
  }

  #receiveAlert(alert: Buffer): void {
    if (alert[0] !== fatal && alert[1] !== alerts.closeNotify) return;
    this.#end(alert[1] === alerts.closeNotify ? 'closed' : `alert ${alert[1] ?? '?'} of the far end`);
  }

  #receiveHandshake(payload: Buffer, isEncrypted: boolean, from: string): void {
    // Unencrypted records are not authentic after the key exchange but may be retransmissions.
    const { messages, isRepeated } = this.#assembler.push(payload);
    this.#isRepeated ||= isRepeated;
    for (const message of messages) if (!this.#isOver && !this.#isConnected) this.#handle(message, isEncrypted, from);
  }

  #handle(message: HandshakeMessage, isEncrypted: boolean, from: string): void {
    if (this.#negotiation === null) {
      if (message.type === handshakeTypes.clientHello) this.#receiveHello(message, from);
      else this.#fail('unexpectedMessage', 'the first message was no ClientHello');
      return;
    }
    if (message.type !== clientFlight[this.#expected] || isEncrypted !== (message.type === handshakeTypes.finished)) {
      this.#fail('unexpectedMessage', `message ${message.type} came out of order`);
      return;
    }
    this.#expected += 1;
    this.#receiveOf(this.#negotiation, message);
  }

  #receiveHello(message: HandshakeMessage, from: string): void {
    const hello = parseClientHello(message.body);
    const cookie = this.#cookieOf(hello, from);
    if (hello.cookie.length !== cookie.length || !timingSafeEqual(hello.cookie, cookie)) {
      const request = { type: handshakeTypes.helloVerifyRequest, sequence: message.sequence };
      this.#sender.send([handshakeRecord({ ...request, body: helloVerifyRequest(cookie) })]);
      return;
    }
    const profile = [...srtpProfiles.keys()].find((each) => hello.srtpProfiles.includes(each));
    const suite = profile === undefined ? undefined : srtpProfiles.get(profile);
    if (hello.missing !== null || profile === undefined || suite === undefined) {
      this.#fail('handshakeFailure', `the far end does not offer ${hello.missing ?? 'a known SRTP profile'}`);
      return;
    }
    const { certificate, random } = this.#options;
    const ecdh = createECDH('prime256v1');
    const point = ecdh.generateKeys();
    const server = random(32);

    const bodies: readonly (readonly [number, Buffer])[] = [
      [handshakeTypes.serverHello, serverHello(server, hello, profile)],
      [handshakeTypes.certificate, certificateMessage(certificate.der)],
      [handshakeTypes.serverKeyExchange, serverKeyExchange(certificate.key, point, hello.random, server)],
      [handshakeTypes.certificateRequest, certificateRequest()],
      [handshakeTypes.serverHelloDone, Buffer.alloc(0)],
    ];
    const flight = bodies.map(([type, body], n) => ({ type, body, sequence: message.sequence + n }));
    const lastSequence = message.sequence + flight.length - 1;
    this.#negotiation = { randoms: { client: hello.random, server }, suite, ecdh, lastSequence };
    this.#transcript = [message, ...flight].map(writeHandshake);
    const giveUp = (): void => this.#end('the handshake was not continued');
    this.#sender.sendUntilAnswered(flight.map(handshakeRecord), giveUp);
  }

  #receiveOf(negotiation: Negotiation, message: HandshakeMessage): void {
    const reader = new ByteReader(message.body);
    switch (message.type) {
      case handshakeTypes.certificate: {
        const chain = new ByteReader(reader.vector(3));
        const der = chain.isAtEnd ? Buffer.alloc(0) : chain.vector(3);
        this.#clientKey = this.#options.isExpected(der) ? publicKeyOf(der) : null;
        if (this.#clientKey === null) this.#fail('badCertificate', 'the certificate is not that of the offer');
        break;
      }
      case handshakeTypes.clientKeyExchange: {
        const shared = sharedSecret(negotiation.ecdh, reader.vector(1));
        this.#transcript.push(writeHandshake(message));
        if (shared === null) this.#fail('handshakeFailure', 'the public key is not on the curve');
        else this.#master = extendedMasterSecret(shared, Buffer.concat(this.#transcript));
        return;
      }
      case handshakeTypes.certificateVerify: {
        const algorithm = reader.uint16();
        if (!this.#isSigned(algorithm, reader.vector(2))) {
          this.#fail('decryptError', 'the far end does not have the key of its certificate');
        } else if (this.#master !== null) this.#sender.keys = recordKeys(this.#master, negotiation.randoms);
        break;
      }
      case handshakeTypes.finished:
        this.#finish(message, negotiation);
        return;
    }
    this.#transcript.push(writeHandshake(message));
  }

  #isSigned(algorithm: number, signature: Buffer): boolean {
    const key = this.#clientKey;
    const type = algorithm === ecdsaSha256 ? 'ec' : algorithm === rsaSha256 ? 'rsa' : null;
    if (key === null || key.asymmetricKeyType !== type) return false;
    return verify('sha256', Buffer.concat(this.#transcript), key, signature);
  }

  #finish(message: HandshakeMessage, { randoms, suite, lastSequence }: Negotiation): void {
    const master = this.#master;
    if (master === null) return;
    const expected = verifyData(master, 'client', Buffer.concat(this.#transcript));
    if (message.body.length !== expected.length || !timingSafeEqual(message.body, expected)) {
      this.#fail('decryptError', 'the handshake was tampered with');
      return;
    }
    this.#transcript.push(writeHandshake(message));
    const body = verifyData(master, 'server', Buffer.concat(this.#transcript));
    const finished = handshakeRecord({ type: handshakeTypes.finished, sequence: lastSequence + 1, body });
    this.#isConnected = true;
    this.#forget();
    this.#sender.send([
      { type: contentTypes.changeCipherSpec, epoch: 0, payload: Buffer.of(1) },
      { ...finished, epoch: 1 },
    ]);
    this.#options.onConnected(srtpKeys(suite, master, randoms));
  }

  /** Releases the state of the handshake. */
  #forget(): void {
    this.#transcript = [];
    this.#negotiation = null;
    this.#clientKey = null;
    this.#master = null;
  }

  #cookieOf({ random }: ClientHello, from: string): Buffer {
    const hmac = createHmac('sha256', this.#cookieKey).update(random).update(from);
    return hmac.digest().subarray(0, cookieBytes);
  }

  #fail(alert: Alert, reason: string): void {
    this.#alert(fatal, alert);
    this.#end(reason);
  }

  #alert(level: number, alert: Alert): void {
    const epoch = this.#sender.keys === null ? 0 : 1;
    this.#sender.sendOnce({ type: contentTypes.alert, epoch, payload: Buffer.of(level, alerts[alert]) });
  }

  #end(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#sender.close();
    this.#options.onEnd(reason);
  }
}

function handshakeRecord(message: HandshakeMessage): FlightRecord {
  return { type: contentTypes.handshake, epoch: 0, payload: writeHandshake(message) };
}

/** Returns null for a point that is not on the curve. */
function sharedSecret(ecdh: ECDH, point: Buffer): Buffer | null {
  try {
    return ecdh.computeSecret(point);
  } catch {
    return null;
  }
}
