import { createSocket, type Socket } from 'node:dgram';
import { defaultSpeechConfig } from '@va/core/adapter';
import { describe, expect, it, vi } from 'vitest';
import { audioCodecs } from '../../src/codec/audio-codec.ts';
import { writeRtp } from '../../src/packet/rtp-packet.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { systemRandom } from '../../src/runtime/random.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import { EventBatcher } from '../../src/worker/event-batcher.ts';
import { LegServer } from '../../src/worker/leg-server.ts';
import type { MediaWorkerEvent, PlaneSettings } from '../../src/worker/messages.ts';

const address = '127.0.0.1';
const levelDetector = new URL('./level-detector.mjs', import.meta.url).href;

/** Opens a socket that acts as the phone of a leg. */
async function phoneOf(): Promise<{ phone: Socket; remote: { address: string; port: number } }> {
  const phone = createSocket('udp4');
  await new Promise<void>((resolve) => void phone.bind(0, address, resolve));
  return { phone, remote: { address, port: phone.address().port } };
}

function settingsWith(module: string): PlaneSettings {
  return {
    ...{
      encoding: 'pcmu',
      vad: defaultSpeechConfig.vad,
      ambient: undefined,
      hold: undefined,
      isRecorded: false,
      detector: { module },
    },
    ...{ heard: new SharedArrayBuffer(4), mediaTimeout: { initialMs: 60_000, generalMs: 60_000 } },
  };
}

/** Creates a leg server that collects its events. */
function serverOn(clock: Clock): { server: LegServer; emitted: MediaWorkerEvent[] } {
  const emitted: MediaWorkerEvent[] = [];
  const batcher = new EventBatcher(clock, ({ events }) => void emitted.push(...events));
  return { server: new LegServer({ clock, random: systemRandom, opus: null, events: batcher }), emitted };
}

it('LegServer sends frames on time while constant input delays its timers', async () => {
  let nowMs = 0;
  const { server, emitted } = serverOn({ ...systemClock, nowMs: () => nowMs, setTimer: () => ({ cancel() {} }) });
  const { phone, remote } = await phoneOf();
  let got = 0;
  phone.on('message', () => {
    got += 1;
  });
  try {
    server.handle({ type: 'open', leg: 1, address, port: 0 });
    await vi.waitUntil(() => emitted.length > 0);
    const [opened] = emitted;
    const port = opened?.type === 'opened' ? opened.port : 0;
    const agreement = {
      ...{ mediaIndex: 0, codec: audioCodecs.pcmu, payloadType: 0, mappings: [], security: null, remote },
      ...{
        packetMs: 20 as const,
        telephoneEventPayloadType: null,
        telephoneEventClockRateHz: 8_000,
        direction: 'sendrecv' as const,
      },
      rtcp: { mux: true, port: remote.port },
    };
    server.handle({ type: 'apply', leg: 1, agreement, offered: [] });
    server.handle({ type: 'start', leg: 1, settings: settingsWith(levelDetector) });
    // Executed once the detector is loaded and the media plane has started.
    server.handle({ type: 'measure', leg: 1 });
    await vi.waitUntil(() => emitted.some(({ type }) => type === 'measured'));
    for (let sequence = 1; sequence <= 15; sequence++) {
      nowMs += 20;
      const timestamp = sequence * 160;
      const packet = { marker: false, payloadType: 0, sequence, timestamp, ssrc: 1, payload: new Uint8Array(160) };
      phone.send(writeRtp(packet), port, address);
      await vi.waitUntil(() => got >= sequence - 1, { interval: 1 });
    }
    expect(got).toBeGreaterThanOrEqual(14);
  } finally {
    server.close();
    phone.close();
  }
});

describe('a detector from its own module', () => {
  /** Starts the media of three legs, two of them at once; returns the legs that failed. */
  async function failedWith(module: string): Promise<number[]> {
    const { server, emitted } = serverOn(systemClock);
    const start = async (...legs: number[]): Promise<void> => {
      for (const leg of legs) server.handle({ type: 'start', leg, settings: settingsWith(module) });
      // Commands of a leg are executed in order.
      for (const leg of legs) server.handle({ type: 'measure', leg });
      const isStarted = (leg: number): boolean => emitted.some((each) => each.type === 'measured' && each.leg === leg);
      await vi.waitUntil(() => legs.every(isStarted));
    };
    try {
      for (const leg of [1, 2, 3]) server.handle({ type: 'open', leg, address, port: 0 });
      await vi.waitUntil(() => emitted.length === 3);
      await start(1, 2);
      await start(3);
      return emitted.filter(isFailure).map(({ leg }) => leg);
    } finally {
      server.close();
    }
  }

  function isFailure(event: MediaWorkerEvent): boolean {
    return event.type === 'plane' && event.event.type === 'media-failed';
  }

  it('is awaited by each call that starts while it loads', async () => {
    expect(await failedWith(`${levelDetector}?waited-for`)).toEqual([]);
  });

  it('fails all calls when it cannot be loaded', async () => {
    expect(await failedWith('file:///nowhere.mjs')).toEqual([1, 2, 3]);
  });
});
