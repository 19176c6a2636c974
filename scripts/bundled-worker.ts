import { pathToFileURL } from 'node:url';
import { bundleSources } from './bundled-sources.ts';

/**
 * Run once before all tests: makes one file of the media worker's sources. The tests start a thread for each of some
 * hundred services.
 */
export async function setup(): Promise<void> {
  const entry = new URL('../packages/sip/src/media-worker/media-worker.ts', import.meta.url);
  const file = await bundleSources(entry, 'media-worker', { external: ['@discordjs/opus'] });
  process.env.VA_MEDIA_WORKER = pathToFileURL(file).href;
}
