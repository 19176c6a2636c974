import { ProviderError } from '@va/core';
import { describe, expect, it } from 'vitest';
import { collect, until } from '../options.ts';
import { localVoice } from './elevenlabs.ts';

async function failureOf(audio: Promise<unknown>): Promise<ProviderError> {
  const thrown = await audio.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(thrown instanceof ProviderError)) throw new Error(`It did not fail as a provider does: ${thrown}`);
  return thrown;
}

describe('15. the socket of a voice', () => {
  it('is made again three times in a row at most, and then no more', async () => {
    const { server, say } = await localVoice(...Array.from({ length: 20 }, () => ({ status: 503 })));
    const failure = await failureOf(collect(say('Hello.')));
    expect(failure.retryable).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 300));
    // Refused upgrades are no connections: the next one shows how many of the twenty were used up.
    expect(server.connections).toHaveLength(0);
  }, 30_000);

  it.each(['quota_exceeded', 'invalid_api_key'])(
    'that is closed with 1008 for %s is not made again and again',
    async (error) => {
      const { server, say } = await localVoice(...Array.from({ length: 20 }, () => ({ error })));
      const failure = await failureOf(collect(say('Hello.')));
      expect(failure.retryable).toBe(false);
      expect(server.connections.length).toBeLessThanOrEqual(2);
    },
    30_000,
  );

  it('that was closed while nothing was said is made again for the next word', async () => {
    const { server, say } = await localVoice();
    await collect(say('Hello.'));
    server.cutConnections();
    await until(() => server.connections[0]?.closed === true);
    const events = await collect(say('Are you still there?'));
    expect(events.some(({ type }) => type === 'audio')).toBe(true);
    expect(server.connections).toHaveLength(2);
  });

  it('over which all went well but no sound came has failed', async () => {
    const { say } = await localVoice('mute');
    await expect(collect(say('Hello.'))).rejects.toBeInstanceOf(ProviderError);
  });
});
