import { within } from '../async/within.ts';
import type { RecordingPeaks } from '../domain/calls/recording-peaks.ts';
import { RequestError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { StoredRecording } from '../ports/recordings.ts';
import { PeakMeter } from './peak-meter.ts';
import { parseWavFormat } from './wav-format.ts';

/** Maximum length of the header before the samples. */
const maxHeaderBytes = 4_096;
/** Nine hours of stereo at 8 kHz. */
const maxBytes = 1_073_741_824;
const limitMs = 30_000;

/**
 * Computes the waveform of a recording while it streams, with the memory of one chunk.
 * @throws RequestError 501 `recording_not_readable`, or 503 `unavailable` after 30 s
 */
export async function readPeaks(recording: StoredRecording, points: number, clock: Clock): Promise<RecordingPeaks> {
  const { byteLength } = recording;
  if (byteLength < 1 || byteLength > maxBytes) throw notReadable();
  const head = Buffer.alloc(Math.min(byteLength, maxHeaderBytes));
  let filled = 0;
  await drain(recording, { start: 0, end: head.byteLength - 1 }, clock, (chunk) => {
    head.set(chunk.subarray(0, head.byteLength - filled), filled);
    filled = Math.min(head.byteLength, filled + chunk.byteLength);
  });
  const format = parseWavFormat(head.subarray(0, filled), byteLength);
  if (format === null) throw notReadable();
  const { channels, sampleRateHz, dataStart, dataBytes } = format;
  const meter = new PeakMeter(format, points);
  if (dataBytes > 0) {
    await drain(recording, { start: dataStart, end: dataStart + dataBytes - 1 }, clock, (chunk) => meter.push(chunk));
  }
  const [caller = [], agent = []] = meter.peaks();
  return {
    duration_ms: Math.round((dataBytes / (channels * 2) / sampleRateHz) * 1_000),
    sample_rate: sampleRateHz,
    channels: { caller, agent },
  };
}

async function drain(
  recording: StoredRecording,
  range: { readonly start: number; readonly end: number },
  clock: Clock,
  onChunk: (chunk: Uint8Array) => void,
): Promise<void> {
  const reader = readable(recording, () => recording.read(range).getReader());
  const work = (async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return true;
      onChunk(value);
    }
  })();
  try {
    if ((await within(limitMs, clock, work)) !== null) return;
  } catch (thrown) {
    throw recording.url === undefined ? thrown : notReadable();
  }
  // The store may never answer the cancellation either.
  reader.cancel().catch(() => {});
  throw new RequestError(503, 'unavailable', 'The recording could not be read in time.');
}

/** Opens the recording. Stores that only redirect to URLs throw on `read`, which becomes `recording_not_readable`. */
function readable<T>({ url }: StoredRecording, open: () => T): T {
  try {
    return open();
  } catch (thrown) {
    throw url === undefined ? thrown : notReadable();
  }
}

function notReadable(): RequestError {
  const accepted = 'Its store must give the bytes of a WAV file with 16-bit PCM of at most 1 GiB.';
  return new RequestError(
    501,
    'recording_not_readable',
    `The waveform of this recording cannot be computed. ${accepted}`,
  );
}
