import { synthesisQueue } from './synthesis-queue.ts';
import type { FliteVoice } from './voices.ts';

/**
 * Synthesizes a text to mono samples at 8 kHz.
 * @throws ProviderError when flite fails
 * @example const samples = await synthesize('Are you still there?', { voice: 'rms' });
 */
export async function synthesize(text: string, options: { voice?: FliteVoice } = {}): Promise<Int16Array> {
  synthesisQueue.acquire();
  try {
    return await synthesisQueue.synthesize(text, options.voice ?? 'slt');
  } finally {
    synthesisQueue.release();
  }
}
