import { type MediaStatistics, systemClock, systemRandom } from '@va/core/adapter';
import { recognize, synthesize } from '@va/local-speech';
import { decodeG711, encodeG711, RtpLeg } from '@va/media';
import { RtpSession } from '@va/sip';
import { describe, expect, it } from 'vitest';
import { ImpairingRelay, type Impairment } from '../../support/impairing-relay.ts';

const phrases = [
  'the number you have dialed is not in service',
  'the number you have reached is not in service today',
  'please enter your password followed by the pound key',
  'please enter the conference number followed by the pound key',
  'i would like to book a table for four people tomorrow evening',
  'i would like to cancel the table for two people this evening',
  'good morning this is the garden hotel how may i help you',
  'good evening this is the harbor restaurant how can i help you',
];
const spoken = [0, 2, 4, 7].map((index) => phrases[index] ?? '');
const frameSamples = 160;
const frameMs = 20;

interface Heard {
  readonly pcm: Int16Array;
  readonly sentFrames: number;
  readonly heardFrames: number;
  readonly missing: number;
  readonly lost: number;
  readonly statistics: MediaStatistics;
}

async function pause(ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Sends the speech over an impaired network, in real time. */
async function say(pcm: Int16Array, impairment: Impairment, seed: number): Promise<Heard> {
  const [clock, random, address] = [systemClock, systemRandom, '127.0.0.1'];
  const [speaker, listener] = [
    await RtpLeg.open({ clock, random, address }),
    await RtpLeg.open({ clock, random, address }),
  ];
  const relay = await ImpairingRelay.open(listener.port, impairment, seed);
  try {
    const caller = new RtpSession({ leg: speaker, codecs: ['pcmu'], address, random });
    const called = new RtpSession({ leg: listener, codecs: ['pcmu'], address, random });
    const throughRelay = (sdp: Uint8Array): Uint8Array =>
      new TextEncoder().encode(new TextDecoder().decode(sdp).replace(/audio \d+/, `audio ${relay.port}`));
    const outcome = called.answer(throughRelay(caller.offer()));
    if (!outcome.ok) throw new Error(outcome.warning);
    expect(caller.accept(throughRelay(outcome.answer))).toBe(true);
    const heard: number[] = [];
    let [heardFrames, missing] = [0, 0];
    listener.onFrame((frame) => {
      heardFrames += 1;
      if (frame === null) missing += 1;
      heard.push(...(frame === null ? new Int16Array(frameSamples) : decodeG711('pcmu', frame)));
    });
    const codes = encodeG711('pcmu', Int16Array.of(...new Int16Array(1_600), ...pcm, ...new Int16Array(3_200)));
    const sentFrames = Math.floor(codes.length / frameSamples);
    for (let sent = 0; sent < sentFrames; sent++) {
      speaker.send(codes.subarray(sent * frameSamples, (sent + 1) * frameSamples));
      // From the last frame, not from the first: a burst after a pause of the machine would be one more impairment.
      await pause(frameMs);
    }
    // Until the jitter buffer has played what it holds, which is more where the machine delays packets too.
    for (let before = -1; before < heardFrames; ) {
      before = heardFrames;
      await pause(300);
    }
    const statistics = listener.snapshot();
    return { pcm: Int16Array.from(heard), sentFrames, heardFrames, missing, lost: relay.lost, statistics };
  } finally {
    speaker.close();
    listener.close();
    relay.close();
  }
}

describe('speech over a network', () => {
  it.each<[string, Impairment]>([
    ['loses 1 %', { loss: 0.01 }],
    ['loses 5 %', { loss: 0.05 }],
    ['loses 5 %, delays by up to 50 ms and duplicates packets', { loss: 0.05, jitterMs: 50, duplication: 0.05 }],
    ['lets packets overtake each other', { reordering: 0.1 }],
    ['delivers packets twice', { duplication: 0.3 }],
    ['delays by up to 50 ms', { jitterMs: 50 }],
  ])('that %s is understood, and keeps its duration', async (_, impairment) => {
    const sentences = await Promise.all(spoken.map((text) => synthesize(text)));
    const all = await Promise.all(sentences.map((pcm, seed) => say(pcm, impairment, seed + 1)));
    for (const heard of all) {
      // Packets lost at the very end go unnoticed.
      expect(heard.heardFrames).toBeGreaterThanOrEqual(heard.sentFrames - 3);
      expect(heard.heardFrames).toBeLessThanOrEqual(heard.sentFrames);
      expect(Math.abs(heard.statistics.received.packetsLost - heard.lost)).toBeLessThanOrEqual(3 + duplicates(heard));
    }
    const understood: string[] = [];
    for (const { pcm } of all) understood.push(await recognize(pcm, { phrases }));
    expect(understood).toEqual(spoken);
  });

  it('that loses 20 % continues, with most lost packets concealed', async () => {
    const sentence = await synthesize(spoken.slice(0, 2).join(' '));
    const heard = await say(sentence, { loss: 0.2 }, 7);
    expect(heard.lost / heard.sentFrames).toBeGreaterThan(0.12);
    expect(heard.heardFrames).toBeGreaterThanOrEqual(heard.sentFrames - 5);
    expect(heard.missing).toBeLessThan(heard.lost * 0.1);
  });
});

/** Upper bound of the error of the lost-packet count: a duplicate compensates for a lost packet. */
function duplicates({ statistics, lost, sentFrames }: Heard): number {
  return Math.max(0, statistics.received.packets - (sentFrames - lost));
}
