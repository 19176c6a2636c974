import { telnyx } from '@va/carriers/telnyx';
import { vonage } from '@va/carriers/vonage';
import { decodeSamples, encodeSamples } from '@va/media';
import { tone, toneLevel } from '@va/test-servers/audio';
import { type CarrierCall, type StreamFaults, TelnyxServer, VonageServer } from '@va/testkit/carrier-servers';
import { CarrierService, type CarrierSubject } from '@va/testkit/carriers';
import { afterEach, describe, expect, it } from 'vitest';
import { agentHz, type ToneAgent, toneAgent } from '../support/tone-agent.ts';

let service: CarrierService | null = null;
afterEach(async () => {
  await service?.close();
  service = null;
});

/** Not a divisor of the rate: the tone would consist of a few samples, whose bytes make sense in both orders. */
const callerHz = 6_100;
const samples = tone(2_000, callerHz, 6_000, 16_000);

const opens = {
  async telnyx(faults?: StreamFaults): Promise<CarrierSubject> {
    const server = await TelnyxServer.start(faults === undefined ? {} : { faults });
    return { server, telephony: telnyx({ apiUrl: server.url }) };
  },
  async vonage(faults?: StreamFaults): Promise<CarrierSubject> {
    const server = await VonageServer.start(faults === undefined ? {} : { faults });
    return { server, telephony: vonage({ apiUrl: server.url }) };
  },
};

async function start(name: keyof typeof opens, wideband: boolean, faults?: StreamFaults): Promise<ToneAgent> {
  const agent = toneAgent();
  service = await CarrierService.start(
    { wideband, providers: agent.providers, agent: { ...agent.config, recording_enabled: false } },
    () => opens[name](faults),
  );
  return agent;
}

/** Sends two seconds of the caller's tone at call pace. */
async function talk(call: CarrierCall): Promise<void> {
  for (let n = 0; n < samples.length / 320; n++) {
    call.say(encodeSamples('pcm16', samples.subarray(n * 320, n * 320 + 320)));
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

/** Highest level of a frequency in any 100 ms. */
function loudest(audio: Int16Array, hz: number): number {
  const parts = Array.from({ length: Math.floor(audio.length / 1_600) }, (_, i) =>
    audio.subarray(i * 1_600, i * 1_600 + 1_600),
  );
  return Math.max(...parts.map((part) => toneLevel(part, hz, 16_000)));
}

describe.each(['telnyx', 'vonage'] as const)('a wideband trunk of %s', (name) => {
  it.each([
    ['received', undefined],
    ['placed', undefined],
    ['received, with little-endian samples', { littleEndian: true }],
  ] as const)('has 16 kHz in both directions: %s', async (direction, faults) => {
    const agent = await start(name, true, faults);
    if (direction === 'placed') await service?.place();
    else await service?.call();
    const call = await service?.streaming();
    if (call === undefined) throw new Error('There is no call.');
    await talk(call);
    expect(agent.recognized.map(({ format }) => format)).toEqual([{ encoding: 'pcm16', sampleRateHz: 16_000 }]);
    expect(loudest(Int16Array.from(agent.recognized[0]?.samples ?? []), callerHz)).toBeGreaterThan(4_500);
    const heard = decodeSamples('pcm16', Buffer.concat(call.heard));
    expect(loudest(heard, agentHz.high)).toBeGreaterThan(4_500);
    expect(loudest(heard, agentHz.low)).toBeGreaterThan(4_500);
  });
});

it.each(['telnyx', 'vonage'] as const)('a trunk of %s has 8 kHz by default', async (name) => {
  const agent = await start(name, false);
  const call = await service?.call();
  await service?.until(() => agent.recognized.length > 0);
  expect([call?.encoding, agent.recognized[0]?.format.sampleRateHz]).toEqual(['pcmu', 8_000]);
});
