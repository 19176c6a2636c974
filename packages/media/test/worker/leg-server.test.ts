import { createSocket, type Socket } from 'node:dgram';
import { defaultSpeechConfig } from '@va/core';
import { describe, expect, it } from 'vitest';
import { pause, until } from '../../../sip/test/support/until.ts';
import { audioCodecs } from '../../src/codec/audio-codec.ts';
import { writeRtp } from '../../src/packet/rtp-packet.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { systemRandom } from '../../src/runtime/random.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import { Outbox } from '../../src/worker/event-batcher.ts';
import { MediaHost } from '../../src/worker/leg-server.ts';
import type { PlaneSettings } from '../../src/worker/messages.ts';
import type { Addressed, LegHappening } from '../../src/worker/protocol.ts';

const address = '127.0.0.1';
const levelDetector = new URL('./level-detector.mjs', import.meta.url).href;

/** A phone that a host's leg talks with. */
async function phoneOf(): Promise<{ phone: Socket; remote: { address: string; port: number } }> {
  const phone = createSocket('udp4');
  await new Promise<void>((resolve) => void phone.bind(0, address, resolve));
  return { phone, remote: { address, port: phone.address().port } };
}

function settingsWith(module: string): PlaneSettings {
  return {
    ...{ encoding: 'pcmu', vad: defaultSpeechConfig.vad, ambient: undefined, isRecorded: false, detector: { module } },
    ...{ heard: new SharedArrayBuffer(4), mediaTimeout: { initialMs: 60_000, generalMs: 60_000 } },
  };
}

/** A host, and what it tells. */
function hostOn(clock: Clock): { host: MediaHost; told: Addressed<LegHappening>[] } {
  const told: Addressed<LegHappening>[] = [];
  const outbox = new Outbox(clock, ({ happenings }) => void told.push(...happenings));
  return { host: new MediaHost({ clock, random: systemRandom, opus: null, outbox }), told };
}

it('sends frames in their time while it has so much to read that no timer comes', async () => {
  const { host, told } = hostOn({ ...systemClock, setTimer: () => ({ cancel() {} }) });
  const { phone, remote } = await phoneOf();
  let got = 0;
  phone.on('message', () => {
    got += 1;
  });
  try {
    host.do({ leg: 1, what: { type: 'open', address, port: 0 } });
    await until(() => told.length > 0, 'the leg is open');
    const opened = told[0]?.what;
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
    host.do({ leg: 1, what: { type: 'apply', agreement, offered: [] } });
    host.do({ leg: 1, what: { type: 'media', command: { type: 'start', settings: settingsWith(levelDetector) } } });
    await pause(50);
    expect(got).toBe(0);
    const startedAtMs = performance.now();
    for (let sequence = 1; performance.now() - startedAtMs < 300; sequence++) {
      const timestamp = sequence * 160;
      const packet = { marker: false, payloadType: 0, sequence, timestamp, ssrc: 1, payload: new Uint8Array(160) };
      phone.send(writeRtp(packet), port, address);
      await pause(2);
    }
    await until(() => got >= 14, 'the phone has what 300 ms are worth');
  } finally {
    host.close();
    phone.close();
  }
});

describe('a detector of a module of its own', () => {
  /** Starts the media of three legs, two of them at once, and tells of which it failed. */
  async function failedWith(module: string): Promise<number[]> {
    const { host, told } = hostOn(systemClock);
    const start = (leg: number): void => {
      host.do({ leg, what: { type: 'media', command: { type: 'start', settings: settingsWith(module) } } });
    };
    try {
      for (const leg of [1, 2, 3]) host.do({ leg, what: { type: 'open', address, port: 0 } });
      await until(() => told.length === 3, 'the legs are open');
      start(1);
      start(2);
      await pause(100);
      start(3);
      await pause(100);
      return told.filter(({ what }) => isFailure(what)).map(({ leg }) => leg);
    } finally {
      host.close();
    }
  }

  function isFailure(what: LegHappening): boolean {
    return what.type === 'media' && what.happening.type === 'event' && what.happening.event.type === 'media-failed';
  }

  it('is waited for by each call that begins while it is loaded', async () => {
    expect(await failedWith(`${levelDetector}?waited-for`)).toEqual([]);
  });

  it('that cannot be loaded fails them all', async () => {
    expect(await failedWith('file:///nowhere.mjs')).toEqual([1, 2, 3]);
  });
});
