import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { toE164 } from '../../packages/core/src/domain/numbers/phone-number.ts';
import { HmacSha1 } from '../../packages/media/src/srtp/hmac-sha1.ts';
import { KeyStream } from '../../packages/media/src/srtp/key-stream.ts';
import { median, round } from '../support/statistics.ts';

/**
 * Measures the CPU time of hand-written fast paths and of the libraries that they replace, in µs per operation: medians
 * of alternating rounds. A fast path without a gain here is to be deleted.
 */
const rounds = 9;
const warmUpMs = 500;
const roundMs = 150;

interface Contest {
  readonly name: string;
  readonly key: string;
  readonly ours: (turn: number) => unknown;
  readonly library: (turn: number) => unknown;
}

/** An RTP packet of 20 ms of G.711. */
const headerBytes = 12;
const payloadBytes = 160;
const packet = randomBytes(headerBytes + payloadBytes);
const rollOver = Buffer.alloc(4);

function messageAuthentication(): Contest {
  const key = randomBytes(20);
  const hmac = new HmacSha1(key);
  const library = (): Buffer => createHmac('sha1', key).update(packet).update(rollOver).digest();
  assertEqual(hmac.digest(packet, packet.length, 0), library());
  return {
    name: 'HMAC-SHA1 of a packet',
    key: 'hmac',
    ours: () => hmac.digest(packet, packet.length, 0),
    library,
  };
}

function keyStreams(): Contest {
  const [key, salt] = [randomBytes(16), Buffer.concat([randomBytes(14), Buffer.alloc(2)])];
  const zeros = Buffer.alloc(payloadBytes);
  const ssrc = 0x1234_5678;
  const stream = new KeyStream(key, salt, 16);
  const ours = (turn: number): Uint8Array => {
    stream.take(ssrc, 0, turn & 0xffff, payloadBytes);
    return stream.bytes;
  };
  /**
   * Creates a cipher per packet, whose counter starts at the index of the packet.
   * @see RFC 3711 §4.1.1
   */
  const library = (turn: number): Buffer => {
    const counter = Buffer.from(salt);
    counter.writeUInt32BE((counter.readUInt32BE(4) ^ ssrc) >>> 0, 4);
    counter.writeUInt16BE(counter.readUInt16BE(12) ^ (turn & 0xffff), 12);
    return createCipheriv('aes-128-ctr', key, counter).update(zeros);
  };
  const streamOf = (turn: number): Uint8Array => ours(turn).subarray(stream.at, stream.at + payloadBytes);
  for (const turn of [1, 2, 40_000]) assertEqual(streamOf(turn), library(turn));
  return { name: 'AES key stream of a packet', key: 'key_stream', ours, library };
}

function phoneNumbers(): Contest {
  const numbers = Array.from({ length: 1_000 }, (_, n) => `+3120${String(1_000_000 + n * 7_919).slice(0, 7)}`);
  const library = (turn: number): string | undefined =>
    parsePhoneNumberFromString(numbers[turn % numbers.length] ?? '')?.number;
  const ours = (turn: number): string | null => toE164(numbers[turn % numbers.length] ?? '');
  for (const turn of numbers.keys()) {
    if (ours(turn) !== library(turn)) throw new Error(`${numbers[turn]}: ${ours(turn)}, not ${library(turn)}`);
  }
  return { name: 'a phone number in E.164', key: 'phone_number', ours, library };
}

function assertEqual(ours: Uint8Array, library: Uint8Array): void {
  if (!Buffer.from(ours).equals(library)) throw new Error('the fast path and the library disagree');
}

/** Returns CPU microseconds per operation. */
function measure(operation: (turn: number) => unknown, forMs: number): number {
  const endMs = performance.now() + forMs;
  const before = process.cpuUsage();
  let turn = 0;
  while (performance.now() < endMs) for (let n = 0; n < 100; n += 1) operation(turn++);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / turn;
}

const figures: Record<string, number> = {};
console.log(`${rounds} rounds; µs of CPU per operation, medians`);
for (const { name, key, ours, library } of [messageAuthentication(), keyStreams(), phoneNumbers()]) {
  for (const operation of [ours, library]) measure(operation, warmUpMs);
  const measured = Array.from({ length: rounds }, () => [measure(ours, roundMs), measure(library, roundMs)] as const);
  const [oursUs, libraryUs] = [median(measured.map(([us]) => us)), median(measured.map(([, us]) => us))];
  console.log(`  ${name}: ${oursUs.toFixed(2)}; library ${libraryUs.toFixed(2)}`);
  figures[`${key}_us`] = round(oursUs);
  figures[`${key}_library_us`] = round(libraryUs);
}
console.log(JSON.stringify(figures));
