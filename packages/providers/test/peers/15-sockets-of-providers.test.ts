import { ProviderError } from '@va/core';
import { describe, expect, it } from 'vitest';
import { collect, until } from '../options.ts';
import { localVoice } from './elevenlabs.ts';

async function failureOf(audio: Promise<unknown>): Promise<ProviderError> {
  const thrown = await audio.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(thrown instanceof ProviderError)) throw new Error(`unexpected failure: ${thrown}`);
  return thrown;
}

describe('15. socket of a voice', () => {
  it('is reconnected at most three times in a row', async () => {
    const { server, say } = await localVoice(...Array.from({ length: 20 }, () => ({ status: 503 })));
    const failure = await failureOf(collect(say('Hello.')));
    expect(failure.retryable).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 300));
    // Rejected upgrades are no connections: the next one shows how many of the twenty faults were used up.
    expect(server.connections).toHaveLength(0);
  }, 30_000);

  it.each(['quota_exceeded', 'invalid_api_key'])(
    'that is closed with 1008 for %s is not reconnected endlessly',
    async (error) => {
      const { server, say } = await localVoice(...Array.from({ length: 20 }, () => ({ error })));
      const failure = await failureOf(collect(say('Hello.')));
      expect(failure.retryable).toBe(false);
      expect(server.connections.length).toBeLessThanOrEqual(2);
    },
    30_000,
  );

  it('that was closed while idle is reconnected for the next text', async () => {
    const { server, say } = await localVoice();
    await collect(say('Hello.'));
    server.cutConnections();
    await until(() => server.connections[0]?.closed === true);
    const events = await collect(say('Are you still there?'));
    expect(events.some(({ type }) => type === 'audio')).toBe(true);
    expect(server.connections).toHaveLength(2);
  });

  it('that works but delivers no sound has failed', async () => {
    const { say } = await localVoice('mute');
    await expect(collect(say('Hello.'))).rejects.toBeInstanceOf(ProviderError);
  });
});
