import { systemClock, type TtsSession, type TtsUtterance } from '@va/core/adapter';
import { elevenlabs } from '@va/providers/elevenlabs';
import { type ElevenLabsFault, ElevenLabsServer } from '@va/testkit/provider-servers';
import { afterEach } from 'vitest';
import { common } from '../options.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Opens a speech session with a local server, whose first connections meet the faults. */
export async function localVoice(...faults: readonly ElevenLabsFault[]): Promise<{
  server: ElevenLabsServer;
  session: TtsSession;
  say: (...texts: string[]) => TtsUtterance;
}> {
  const server = await ElevenLabsServer.start();
  server.failNext(...faults);
  const session = elevenlabs({ apiKey: 'key', baseUrl: server.url }).open({
    ...common(),
    clock: systemClock,
    config: { provider: 'elevenlabs' },
    format: { encoding: 'pcmu', sampleRateHz: 8_000 },
  });
  closers.push(
    () => server.close(),
    () => session.close(),
  );
  const say = (...texts: string[]): TtsUtterance => {
    const utterance = session.speak();
    for (const text of texts) utterance.push(text);
    utterance.end();
    return utterance;
  };
  return { server, session, say };
}
