import { describe, expect, it } from 'vitest';
import { audioCodecs } from '../../src/codec/audio-codec.ts';
import type { MediaStatistics } from '../../src/plane/media-statistics.ts';
import type { Agreement, Direction } from '../../src/rtp/agreement.ts';
import type { MediaCommand } from '../../src/worker/messages.ts';
import { RemoteLeg } from '../../src/worker/remote-leg.ts';
import { agreed } from '../support/agreement.ts';

class FakeWorker {
  readonly commands: MediaCommand[] = [];
  readonly closed: number[] = [];

  post(command: MediaCommand): void {
    this.commands.push(command);
  }
  onClosed(leg: number): void {
    this.closed.push(leg);
  }
  get types(): string[] {
    return this.commands.map(({ type }) => type);
  }
}

function opened(worker = new FakeWorker(), id = 7): { worker: FakeWorker; leg: RemoteLeg } {
  return { worker, leg: new RemoteLeg(id, 4_000, worker) };
}

function agreedOn(codec: 'pcmu' | 'g722', direction: Direction): Agreement {
  return agreed({ codec: audioCodecs[codec], direction });
}

const counts: MediaStatistics = {
  received: { packets: 5, packetsLost: 1, packetsDropped: 0, jitterMs: 2 },
  sent: { packets: 6, packetsLost: null, jitterMs: null },
  roundTripMs: null,
};

describe('a leg in a worker', () => {
  it('neither sends nor receives before the agreement, and keeps the format of the first codec', () => {
    const { leg } = opened();
    expect([leg.receiving, leg.sending, leg.agreement]).toEqual([false, false, null]);
    expect(leg.format).toEqual({ encoding: 'pcmu', sampleRateHz: 8_000 });
    leg.apply(agreedOn('g722', 'recvonly'));
    expect([leg.receiving, leg.sending]).toEqual([true, false]);
    leg.apply(agreedOn('pcmu', 'inactive'));
    expect([leg.receiving, leg.sending]).toEqual([false, false]);
    expect(leg.format).toEqual({ encoding: 'pcm16', sampleRateHz: 16_000 });
  });

  it('asks for frames and digits once, and passes them on', () => {
    const { worker, leg } = opened();
    const frames: (Uint8Array | null)[] = [];
    const digits: string[] = [];
    leg.onFrame((frame) => frames.push(frame));
    leg.onDtmf(({ digit }) => digits.push(digit));
    expect(worker.types).toEqual(['listen']);
    leg.receiveFrame(Uint8Array.of(1));
    leg.receiveFrame(null);
    leg.onEvent({ type: 'dtmf', leg: 7, digit: { digit: '5', durationMs: 100 } });
    expect([frames, digits]).toEqual([[Uint8Array.of(1), null], ['5']]);
  });

  it('copies a frame to send, whose buffer may be reused', () => {
    const { worker, leg } = opened();
    const frame = Uint8Array.of(1, 2);
    leg.send(frame);
    frame.fill(9);
    expect(worker.commands).toEqual([{ type: 'send-frame', leg: 7, frame: Uint8Array.of(1, 2) }]);
  });

  it('answers all requests for statistics with the next measurement', async () => {
    const { worker, leg } = opened();
    const asked = [leg.statistics(), leg.statistics()];
    expect(worker.types).toEqual(['measure', 'measure']);
    leg.onEvent({ type: 'measured', leg: 7, statistics: counts });
    expect(await Promise.all(asked)).toEqual([counts, counts]);
  });

  it('answers requests under way, and later ones, with the final statistics when it closes', async () => {
    const { worker, leg } = opened();
    const before = leg.statistics();
    leg.close();
    leg.close();
    const during = leg.statistics();
    leg.onEvent({ type: 'closed', leg: 7, statistics: counts });
    expect(await Promise.all([before, during, leg.statistics()])).toEqual([counts, counts, counts]);
    expect(worker.types).toEqual(['measure', 'close']);
    expect(worker.closed).toEqual([7]);
  });

  it('answers with the last measurement when its worker dies, and frees its port once', async () => {
    const { worker, leg } = opened();
    leg.onEvent({ type: 'measured', leg: 7, statistics: counts });
    const asked = leg.statistics();
    leg.onLost('the worker died');
    leg.onLost('the worker died');
    expect(await asked).toEqual(counts);
    expect(worker.closed).toEqual([7]);
    leg.send(Uint8Array.of(1));
    expect(worker.types).toEqual(['measure']);
  });

  it('forwards within its worker only', () => {
    const { worker, leg } = opened();
    expect(leg.forwardTo(opened(worker, 8).leg)).toBe(true);
    expect(leg.forwardTo(opened().leg)).toBe(false);
    expect(worker.commands).toEqual([{ type: 'forward', leg: 7, to: 8 }]);
  });

  it('ignores frames and events after its end', () => {
    const { leg } = opened();
    const frames: unknown[] = [];
    leg.onFrame((frame) => frames.push(frame));
    leg.onEvent({ type: 'closed', leg: 7, statistics: counts });
    leg.receiveFrame(Uint8Array.of(1));
    leg.onEvent({ type: 'stopped', leg: 7 });
    expect(frames).toEqual([]);
  });
});
