import { createSocket, type Socket } from 'node:dgram';
import { systemRandom } from '@va/core/adapter';
import { RtpLeg, writeRtp, writeTelephoneEvent } from '@va/media';
import { VirtualClock } from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RtpSession, type RtpSessionOptions } from '../../src/media/rtp-session.ts';
import { offerAt, wire } from '../support/messages.ts';
import { until } from '../support/until.ts';

/** A peer that sends and receives RTP. Each byte of its audio identifies it. */
class Source {
  readonly socket: Socket;
  readonly tag: number;
  received = 0;
  sequence = 1;

  constructor(socket: Socket, tag: number) {
    this.socket = socket;
    this.tag = tag;
    socket.on('message', () => {
      this.received += 1;
    });
  }

  get port(): number {
    return this.socket.address().port;
  }

  get address(): string {
    return this.socket.address().address;
  }
}

const ourAddress = '127.0.0.1';
const signalling = '127.0.0.2';
let clock: VirtualClock;
let leg: RtpLeg;
let session: RtpSession;
let heard: number[];
let digits: string[];
let sources: Source[];
let sent: number;
let read: number;

async function source(address: string, tag: number): Promise<Source> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => void socket.bind(0, address, resolve));
  const made = new Source(socket, tag);
  sources.push(made);
  return made;
}

function offerOf({ address, port }: { address: string; port: number }, lines = 'a=sendrecv\n'): Uint8Array {
  return wire(offerAt(port, lines).replace('c=IN IP4 127.0.0.1', `c=IN IP4 ${address}`));
}

function say(from: Source, parts: { payloadType?: number; payload?: Uint8Array } = {}): void {
  const { payloadType = 8, payload = new Uint8Array(160).fill(from.tag) } = parts;
  const { sequence, tag } = from;
  from.sequence += 1;
  const packet = { marker: false, payloadType, sequence, timestamp: sequence * 160, ssrc: tag, payload };
  from.socket.send(writeRtp(packet), leg.port, ourAddress);
  sent += 1;
}

/** Each peer sends frames in turn, and the agent sends one every 20 ms. */
async function frames(count: number, ...who: Source[]): Promise<void> {
  for (let i = 0; i < count; i++) {
    await clock.advance(20);
    for (const each of who) {
      say(each);
      while (read < sent) await new Promise((resolve) => setImmediate(resolve));
    }
    leg.send(new Uint8Array(160));
  }
}

/** Waits until each peer has received that many packets, and expects no more. */
async function expectReceived(...counts: (readonly [Source, number])[]): Promise<void> {
  await until(() => counts.every(([{ received }, count]) => received >= count), 'the packets arrive');
  expect(counts.map(([{ received }]) => received)).toEqual(counts.map(([, count]) => count));
}

/** Returns the peers heard since the last call. */
function whoWasHeard(): number[] {
  const tags = [...new Set(heard)];
  heard = [];
  return tags;
}

async function open(options: Partial<RtpSessionOptions> = {}): Promise<void> {
  const onRead = (): void => {
    read += 1;
  };
  leg = await RtpLeg.open({ clock, random: systemRandom, address: ourAddress, onRead });
  session = new RtpSession({ leg, codecs: ['pcma'], address: ourAddress, random: systemRandom, ...options });
  leg.onFrame((frame) => void heard.push(frame?.[80] ?? -1));
  leg.onDtmf(({ digit }) => void digits.push(digit));
}

beforeEach(async () => {
  [heard, digits, sources, sent, read] = [[], [], [], 0, 0];
  clock = new VirtualClock();
  await open();
});
afterEach(() => {
  leg.close();
  for (const { socket } of sources) socket.close();
});

describe('media of a call that moves', () => {
  it.each([0, 1, 2, 5])('follow a re-INVITE to another port when the old one sends %i frames longer', async (late) => {
    const [before, after] = [await source(signalling, 1), await source(signalling, 2)];
    session.answer(offerOf(before), signalling);
    await frames(10, before);
    whoWasHeard();
    await expectReceived([before, 10]);
    session.answer(offerOf(after), signalling);
    await frames(late, before);
    await frames(10, after, before);
    expect(whoWasHeard()).toEqual([2]);
    await expectReceived([before, 10], [after, 10 + late]);
  });

  it('follow a re-INVITE to another address while the old one keeps sending', async () => {
    const [before, after] = [await source(signalling, 1), await source('127.0.0.3', 2)];
    session.answer(offerOf(before), signalling);
    await frames(10, before);
    whoWasHeard();
    session.answer(offerOf(after), signalling);
    await frames(50, before);
    expect(whoWasHeard()).toEqual([]);
    await frames(10, before, after);
    expect(whoWasHeard()).toEqual([2]);
  });

  it('follow a NAT that assigns another port during the call', async () => {
    const [before, after] = [await source(signalling, 1), await source(signalling, 1)];
    session.answer(offerOf(before), signalling);
    await frames(50, before);
    whoWasHeard();
    after.sequence = before.sequence;
    await frames(50, after);
    expect(whoWasHeard()).toContain(1);
    expect(heard).toEqual([]);
    expect(after.received).toBeGreaterThanOrEqual(20);
  });

  it('come from the SDP address, not from a neighbour whose first packet arrived earlier', async () => {
    const [phone, neighbour] = [await source(signalling, 1), await source(signalling, 2)];
    session.answer(offerOf(phone), signalling);
    await frames(1, neighbour);
    await frames(150, phone, neighbour);
    expect(whoWasHeard()).toEqual([1]);
    await expectReceived([phone, 151], [neighbour, 0]);
  });

  it('come from the SDP address, not from callers of an earlier process that still send to this port', async () => {
    const zombies = await Promise.all([7, 8, 9].map((tag) => source(signalling, tag)));
    const phone = await source(signalling, 1);
    await frames(3, ...zombies);
    session.answer(offerOf(phone), signalling);
    await frames(100, ...zombies);
    await frames(100, phone, ...zombies);
    expect(whoWasHeard()).toEqual([1]);
    await expectReceived([phone, 200], ...zombies.map((each) => [each, 0] as const));
  });
});

describe('media of a third party', () => {
  it.each([
    ['the phone has spoken', 0],
    ['the phone is silent for 1.5 s', 75],
  ])('are rejected when %s', async (_, silentFrames) => {
    const [phone, stranger] = [await source(signalling, 1), await source('127.0.0.66', 6)];
    session.answer(offerOf(phone), signalling);
    await frames(3, stranger);
    await frames(silentFrames, stranger);
    await frames(50, stranger, phone);
    expect(whoWasHeard()).toEqual([1]);
    await expectReceived([phone, 53 + silentFrames], [stranger, 0]);
  });

  it('cannot inject DTMF', async () => {
    const [phone, stranger] = [await source(signalling, 1), await source('127.0.0.66', 6)];
    session.answer(offerOf(phone), signalling);
    const event = (end: boolean) => writeTelephoneEvent({ digit: '4', duration: 800, end }) ?? new Uint8Array(0);
    for (let i = 0; i < 20; i++) {
      say(stranger, { payloadType: 96, payload: event(i > 10) });
      await clock.advance(20);
    }
    await frames(5, phone);
    expect(digits).toEqual([]);
  });

  it('are rejected as early media of a ringing call', async () => {
    const [phone, stranger] = [await source(signalling, 1), await source('127.0.0.66', 6)];
    session.offer();
    await frames(4, stranger);
    expect(session.accept(offerOf(phone), signalling)).toBe(true);
    await frames(250, stranger);
    await expectReceived([phone, 250], [stranger, 0]);
    await frames(5, stranger, phone);
    expect(whoWasHeard()).toEqual([1]);
  });

  it('are accepted from behind a NAT until the signalling address sends', async () => {
    const [nat, stranger] = [await source(signalling, 1), await source('127.0.0.66', 6)];
    session.answer(offerOf({ address: '10.9.9.9', port: 4_000 }), signalling);
    await frames(50, stranger);
    await frames(10, stranger, nat);
    await frames(10, nat, stranger);
    expect(whoWasHeard().at(-1)).toBe(1);
    expect(nat.received).toBeGreaterThan(10);
  });

  it('are never accepted in strict mode', async () => {
    leg.close();
    await open({ mediaSource: 'strict' });
    const [phone, neighbour] = [await source(signalling, 1), await source(signalling, 6)];
    session.answer(offerOf(phone), signalling);
    await frames(100, neighbour);
    await frames(5, phone);
    expect(whoWasHeard()).toEqual([1]);
  });
});

describe('description that names a third party', () => {
  it.each([
    ['a multicast group', '224.0.0.1', 4_000, '330'],
    ['everybody', '255.255.255.255', 4_000, '330'],
    ['the metadata service of a cloud', '169.254.169.254', 4_000, '399'],
    ['a system service', '127.0.0.2', 53, '399'],
  ])('is rejected: %s', (_, address, port, code) => {
    const outcome = session.answer(offerOf({ address, port }), signalling);
    expect(outcome.ok ? '' : outcome.warning).toMatch(new RegExp(`^${code} `));
  });

  it('causes only a few seconds of audio to be sent there', async () => {
    const third = await source('127.0.0.77', 1);
    expect(session.answer(offerOf(third), signalling).ok).toBe(true);
    await frames(1_500);
    expect(third.received).toBeLessThan(150);
  });
});
