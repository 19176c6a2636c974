import { recognitionWorker } from './pocketsphinx.ts';
import { PocketSphinxStream } from './stream.ts';
import { vocabularyOf } from './vocabulary.ts';

/**
 * Recognizes a whole recording as the best match of the grammar or of the phrases; empty without speech.
 * @param samples mono at 8 kHz
 * @throws ProviderError like opening a stream of `pocketsphinx()`
 * @example await recognize(samples, { phrases: ['on Friday at seven', 'goodbye'] }); // 'on friday at seven'
 */
export async function recognize(
  samples: Int16Array,
  vocabulary: { phrases: readonly string[] } | { grammar: string },
): Promise<string> {
  const stream = new PocketSphinxStream(
    recognitionWorker,
    vocabularyOf({ ...vocabulary }, []),
    { encoding: 'pcm16', sampleRateHz: 8_000 },
    new AbortController().signal,
  );
  try {
    stream.speechStarted();
    stream.send(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
    stream.finalize();
    const heard: string[] = [];
    for await (const event of stream) {
      if (event.type === 'final') heard.push(event.text);
      if (event.type === 'finalized') break;
    }
    return heard.join(' ');
  } finally {
    stream.close();
  }
}
