import { legAudio } from '@va/media';
import { meteredSession } from '../costs/metered-session.ts';
import type { UsageMeter } from '../costs/usage-meter.ts';
import type { UsageSource } from '../costs/usage-source.ts';
import type { TtsConfig } from '../domain/agents/agent.ts';
import { ProviderError } from '../errors.ts';
import { wavHeader } from '../node/wav-header.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { TextToSpeech, TtsUtterance } from '../ports/providers/text-to-speech.ts';
import { openLegSession } from '../providers/leg-session.ts';

const encoding = 'pcm16';
const { sampleRateHz, bytesPerMs } = legAudio[encoding];

/** Longer audio is cut: 200 characters take some 15 s. */
const maxSampleMs = 30_000;
/** Time for the whole sample. */
const sampleTimeoutMs = 20_000;

export interface Sample {
  readonly provider: TextToSpeech;
  readonly config: TtsConfig;
  readonly text: string;
  readonly language: string | undefined;
  /** The organization's own key; undefined to use the host's. */
  readonly apiKey: string | undefined;
}

export interface SynthesisDependencies {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Meter of the usage that the provider bills; null: usage is not counted. */
  readonly billing: { readonly meter: UsageMeter; readonly source: UsageSource } | null;
}

/**
 * Returns a WAV file of the text: one channel of 16-bit samples at 16 kHz.
 * @throws ProviderError, other errors of the provider, or the reason of the signal
 */
export async function synthesizeSample(
  { provider, config, text, language, apiKey }: Sample,
  { clock, logger, billing }: SynthesisDependencies,
  signal: AbortSignal,
): Promise<Uint8Array> {
  signal.throwIfAborted();
  const closing = new AbortController();
  const own = openLegSession({ provider, config }, encoding, {
    ...(apiKey !== undefined && { apiKey }),
    ...(language !== undefined && { language }),
    signal: closing.signal,
    clock,
    logger,
  });
  const session = billing === null ? own : meteredSession(own, encoding, billing);
  try {
    const utterance = session.speak();
    const audio = await settled(readAudio(utterance, text), {
      provider,
      clock,
      signal,
      onStop: () => utterance.cancel(),
    });
    if (audio.length === 0) throw new ProviderError(provider.id, 'protocol', 'no audio came of the text');
    return Buffer.concat([wavHeader(audio.length, sampleRateHz, 1), audio]);
  } finally {
    session.close();
    closing.abort();
  }
}

async function readAudio(utterance: TtsUtterance, text: string): Promise<Uint8Array> {
  const maxBytes = maxSampleMs * bytesPerMs;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  utterance.push(text);
  utterance.end();
  for await (const event of utterance) {
    if (event.type !== 'audio') continue;
    // A copy, because a provider may reuse its buffer.
    parts.push(event.audio.slice(0, maxBytes - bytes));
    bytes += event.audio.length;
    if (bytes < maxBytes) continue;
    utterance.cancel();
    break;
  }
  return Buffer.concat(parts);
}

/** Waits for the audio until the deadline, or until the signal aborts. */
async function settled(
  reading: Promise<Uint8Array>,
  about: { provider: TextToSpeech; clock: Clock; signal: AbortSignal; onStop: () => void },
): Promise<Uint8Array> {
  const { provider, clock, signal, onStop } = about;
  // Nobody waits for the outcome if a provider does not end a cancelled utterance.
  reading.catch(() => {});
  let stop: () => void = () => {};
  const stopped = new Promise<never>((_resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const timer = clock.setTimer(sampleTimeoutMs, () =>
      reject(new ProviderError(provider.id, 'timeout', `no sample within ${sampleTimeoutMs} ms`)),
    );
    stop = () => {
      timer.cancel();
      signal.removeEventListener('abort', onAbort);
    };
  });
  try {
    return await Promise.race([reading, stopped]);
  } catch (thrown) {
    onStop();
    throw thrown;
  } finally {
    stop();
  }
}
