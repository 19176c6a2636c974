import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { type FlightRecord, FlightSender } from '../../../../src/server/webrtc/dtls/flight-sender.ts';
import { contentTypes, parseRecords } from '../../../../src/server/webrtc/dtls/record.ts';

const record = (size: number, epoch: 0 | 1 = 0): FlightRecord => ({
  ...{ type: contentTypes.handshake, epoch },
  payload: new Uint8Array(size),
});

function setUp() {
  const clock = new VirtualClock();
  const datagrams: { atMs: number; bytes: Buffer }[] = [];
  const sender = new FlightSender(clock, (bytes) => datagrams.push({ atMs: clock.nowMs(), bytes }));
  const times = (): number[] => datagrams.map(({ atMs }) => atMs);
  const sequences = (): number[][] => datagrams.map(({ bytes }) => parseRecords(bytes).map(({ sequence }) => sequence));
  return { clock, datagrams, sender, times, sequences };
}

describe('FlightSender', () => {
  it('packs the records of a flight into datagrams of at most 1,200 bytes', () => {
    const { datagrams, sender, sequences } = setUp();
    sender.send([record(500), record(500), record(500)]);
    expect(sequences()).toEqual([[0, 1], [2]]);
    expect(datagrams.every(({ bytes }) => bytes.length <= 1_200)).toBe(true);
  });

  it('sends a record above 1,200 bytes in a datagram of its own', () => {
    const { sender, sequences } = setUp();
    sender.send([record(10), record(1_300), record(10)]);
    expect(sequences()).toEqual([[0], [1], [2]]);
  });

  it('retransmits an unanswered flight with doubled intervals, then gives up', async () => {
    const { clock, sender, times } = setUp();
    let givenUpAtMs = -1;
    sender.sendUntilAnswered([record(10)], () => {
      givenUpAtMs = clock.nowMs();
    });
    await clock.advance(60_000);
    expect(times()).toEqual([0, 250, 750, 1_750, 3_750, 7_750]);
    expect(givenUpAtMs).toBe(15_750);
  });

  it('gives retransmitted records new sequence numbers, counted by epoch', async () => {
    const { clock, sender, sequences } = setUp();
    sender.sendUntilAnswered([record(10), record(10, 1)], () => {});
    await clock.advance(250);
    expect(sequences()).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  it.each<[string, (sender: FlightSender) => void, number]>([
    ['the next flight', (sender) => sender.send([record(20)]), 2],
    ['its end', (sender) => sender.close(), 1],
  ])('stops retransmissions with %s', async (_, stop, count) => {
    const { clock, datagrams, sender } = setUp();
    sender.sendUntilAnswered([record(10)], () => expect.fail('The flight was not given up.'));
    stop(sender);
    await clock.advance(60_000);
    expect(datagrams).toHaveLength(count);
  });

  it('repeats a flight at most ten times on request, and the next one as often again', () => {
    const { datagrams, sender } = setUp();
    sender.send([record(10)]);
    for (let n = 0; n < 15; n++) sender.repeatOnRequest();
    expect(datagrams).toHaveLength(11);
    sender.send([record(20)]);
    sender.repeatOnRequest();
    expect(datagrams).toHaveLength(13);
  });

  it('does not repeat a single record', () => {
    const { datagrams, sender } = setUp();
    sender.sendOnce(record(10));
    sender.repeatOnRequest();
    expect(datagrams).toHaveLength(1);
  });

  it('encrypts records of epoch 1 once it has keys', () => {
    const { datagrams, sender } = setUp();
    const [key, iv] = [Buffer.alloc(16, 1), Buffer.alloc(4, 1)];
    sender.keys = { clientKey: key, serverKey: key, clientIv: iv, serverIv: iv };
    sender.send([record(10, 0), record(10, 1)]);
    const lengths = parseRecords(datagrams[0]?.bytes ?? Buffer.alloc(0)).map(({ payload }) => payload.length);
    expect(lengths).toEqual([10, 10 + 8 + 16]);
  });
});
