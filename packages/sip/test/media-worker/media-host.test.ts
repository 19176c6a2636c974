import { createSocket } from 'node:dgram';
import { defaultSpeechConfig } from '@va/core';
import { type Clock, systemClock, systemRandom } from '@va/core/media';
import { expect, it } from 'vitest';
import { MediaHost } from '../../src/media-worker/media-host.ts';
import { Outbox } from '../../src/media-worker/outbox.ts';
import type { Addressed, LegHappening } from '../../src/media-worker/protocol.ts';
import { writeRtp } from '../../src/rtp/packet.ts';
import { audioCodecs } from '../../src/sdp/audio-codec.ts';
import { pause, until } from '../support/until.ts';

const address = '127.0.0.1';
const detector = { module: new URL('./level-detector.mjs', import.meta.url).href };

it('sends frames in their time while it has so much to read that no timer comes', async () => {
  const busy: Clock = { ...systemClock, setTimer: () => ({ cancel() {} }) };
  const told: Addressed<LegHappening>[] = [];
  const outbox = new Outbox(busy, ({ happenings }) => void told.push(...happenings));
  const host = new MediaHost({ clock: busy, random: systemRandom, opus: null, outbox });
  const phone = createSocket('udp4');
  let got = 0;
  phone.on('message', () => {
    got += 1;
  });
  try {
    await new Promise<void>((resolve) => void phone.bind(0, address, resolve));
    const remote = { address, port: phone.address().port };
    host.do({ leg: 1, what: { type: 'open', address, port: 0 } });
    await until(() => told.length > 0, 'the leg is open');
    const opened = told[0]?.what;
    const port = opened?.type === 'opened' ? opened.port : 0;
    const agreement = {
      ...{ mediaIndex: 0, codec: audioCodecs.pcmu, payloadType: 0, mappings: [], security: null, remote },
      ...{ telephoneEventPayloadType: null, telephoneEventClockRateHz: 8_000, direction: 'sendrecv' as const },
      rtcp: { mux: true, port: remote.port },
    };
    host.do({ leg: 1, what: { type: 'apply', agreement, offered: [] } });
    const settings = {
      ...{ encoding: 'pcmu' as const, vad: defaultSpeechConfig.vad, ambient: undefined, isRecorded: false, detector },
      ...{ heard: new SharedArrayBuffer(4), mediaTimeout: { initialMs: 60_000, generalMs: 60_000 } },
    };
    host.do({ leg: 1, what: { type: 'media', command: { type: 'start', settings } } });
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
