import { silentLogger, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { PriceList } from '../../src/costs/price-list.ts';
import { UsageMeter } from '../../src/costs/usage-meter.ts';
import { ProviderError } from '../../src/errors.ts';
import type { TextToSpeech, TtsEvent, TtsSessionOptions } from '../../src/ports/providers/text-to-speech.ts';
import {
  type Sample,
  type SynthesisDependencies,
  synthesizeSample,
} from '../../src/voice-samples/synthesize-sample.ts';
import { untyped } from '../support/untyped.ts';

const headerBytes = 44;
const bytesPerSecond = 32_000;

interface Watched {
  readonly options: TtsSessionOptions[];
  readonly pushed: string[];
  cancelled: number;
  closed: number;
}

let clock: VirtualClock;
let watched: Watched;
let leaving: AbortController;

beforeEach(() => {
  clock = new VirtualClock();
  watched = { options: [], pushed: [], cancelled: 0, closed: 0 };
  leaving = new AbortController();
});

const audio = (bytes: number): TtsEvent => untyped({ type: 'audio', audio: new Uint8Array(bytes).fill(1) });

/** A voice that speaks each text by these events. */
function voice(events: () => AsyncIterable<TtsEvent>): TextToSpeech {
  return {
    kind: 'tts',
    id: 'vendor',
    formats: [{ encoding: 'pcm16', sampleRateHz: 16_000 }],
    open(options) {
      watched.options.push(options);
      return {
        speak: () => ({
          push: (text: string) => void watched.pushed.push(text),
          end() {},
          cancel() {
            watched.cancelled += 1;
          },
          [Symbol.asyncIterator]: () => events()[Symbol.asyncIterator](),
        }),
        close() {
          watched.closed += 1;
        },
      };
    },
  };
}

async function* speaking(...events: readonly (TtsEvent | Error)[]): AsyncGenerator<TtsEvent> {
  for (const event of events) {
    if (event instanceof Error) throw event;
    yield event;
  }
}

function synthesize(
  provider: TextToSpeech,
  changes: Partial<Sample> = {},
  deps: Partial<SynthesisDependencies> = {},
): Promise<Uint8Array> {
  return synthesizeSample(
    {
      provider,
      config: { provider: 'vendor', voiceId: 'anna' },
      text: 'Good day.',
      language: undefined,
      apiKey: undefined,
      ...changes,
    },
    { clock, logger: silentLogger, billing: null, ...deps },
    leaving.signal,
  );
}

describe('a sample of a voice', () => {
  it('is a WAV file of its audio: one channel, 16 bits, 16 kHz', async () => {
    const wav = Buffer.from(await synthesize(voice(() => speaking(audio(320), audio(640)))));
    expect(wav).toHaveLength(headerBytes + 960);
    expect([wav.toString('latin1', 0, 4), wav.toString('latin1', 8, 12)]).toEqual(['RIFF', 'WAVE']);
    expect([wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt16LE(34)]).toEqual([1, 16_000, 16]);
    expect(wav.readUInt32LE(40)).toBe(960);
    expect(watched.pushed).toEqual(['Good day.']);
  });

  it('is spoken by the settings, with the language and the key of the organization', async () => {
    await synthesize(
      voice(() => speaking(audio(2))),
      { language: 'nl', apiKey: 'own' },
    );
    expect(watched.options).toMatchObject([{ config: { voiceId: 'anna' }, language: 'nl', apiKey: 'own' }]);
  });

  it('is spoken with the key of the host if the organization has none', async () => {
    await synthesize(voice(() => speaking(audio(2))));
    expect(watched.options[0]).not.toHaveProperty('apiKey');
    expect(watched.options[0]).not.toHaveProperty('language');
  });

  it('copies audio whose buffer the voice may overwrite', async () => {
    const buffer = new Uint8Array(4);
    const wav = await synthesize(
      voice(async function* () {
        for (const value of [1, 2]) yield untyped({ type: 'audio', audio: buffer.fill(value) });
      }),
    );
    expect([...wav.slice(headerBytes)]).toEqual([1, 1, 1, 1, 2, 2, 2, 2]);
  });

  it('is cut after thirty seconds, and the voice is cancelled', async () => {
    let asked = 0;
    const provider = voice(async function* () {
      for (;;) {
        asked += 1;
        yield audio(7 * bytesPerSecond);
      }
    });
    expect(await synthesize(provider)).toHaveLength(headerBytes + 30 * bytesPerSecond);
    expect([asked, watched.cancelled]).toEqual([5, 1]);
  });

  it('is metered by its duration and its characters', async () => {
    const meter = new UsageMeter(new PriceList({}), clock);
    const source = { provider: 'vendor', model: null, ownKey: true };
    await synthesize(
      voice(() => speaking(audio(320))),
      {},
      { billing: { meter, source } },
    );
    expect(meter.items()).toMatchObject([
      { provider: 'vendor', kind: 'tts_seconds', quantity: 0.01, own_key: true },
      { provider: 'vendor', kind: 'tts_characters', quantity: 'Good day.'.length },
    ]);
  });
});

describe('a voice that fails', () => {
  it('without audio gives no sample', async () => {
    const failure = synthesize(voice(() => speaking()));
    await expect(failure).rejects.toThrow(new ProviderError('vendor', 'protocol', 'no audio came of the text'));
    expect(watched.closed).toBe(1);
  });

  it('fails the sample with its error', async () => {
    const error = new ProviderError('vendor', 'auth', 'wrong key');
    await expect(synthesize(voice(() => speaking(audio(320), error)))).rejects.toBe(error);
    expect([watched.cancelled, watched.closed]).toEqual([1, 1]);
  });

  it('times out after twenty seconds', async () => {
    const failure = synthesize(voice(() => untyped({ [Symbol.asyncIterator]: () => ({ next: never }) }))).catch(
      (thrown: unknown) => thrown,
    );
    await clock.advance(19_999);
    expect(watched.cancelled).toBe(0);
    await clock.advance(1);
    expect(await failure).toMatchObject({ code: 'provider_timeout', message: 'vendor: no sample within 20000 ms' });
    expect([watched.cancelled, watched.closed, clock.pending]).toEqual([1, 1, 0]);
  });
});

describe('a listener who leaves', () => {
  const left = new Error('left');

  it('stops the voice', async () => {
    const failure = synthesize(voice(() => untyped({ [Symbol.asyncIterator]: () => ({ next: never }) })));
    leaving.abort(left);
    await expect(failure).rejects.toBe(left);
    expect([watched.cancelled, watched.closed, clock.pending]).toEqual([1, 1, 0]);
    expect(watched.options[0]?.signal.aborted).toBe(true);
  });

  it('starts no synthesis if they leave before the beginning', async () => {
    leaving.abort(left);
    await expect(synthesize(voice(() => speaking(audio(2))))).rejects.toBe(left);
    expect(watched.options).toEqual([]);
  });
});

const never = (): Promise<never> => new Promise(() => {});
