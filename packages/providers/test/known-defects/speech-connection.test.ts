import { ProviderError } from '@va/core';
import { describe, expect, it } from 'vitest';
import { collect, until } from '../options.ts';
import { localVoice } from './local-voice.ts';

async function failureOf(audio: Promise<unknown>): Promise<ProviderError> {
  const thrown = await audio.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(thrown instanceof ProviderError)) throw new Error(`unexpected failure: ${thrown}`);
  return thrown;
}

describe('connection of a speech session', () => {
  it('is attempted at most four times in a row', async () => {
    const { server, say } = await localVoice(...Array.from({ length: 20 }, () => ({ status: 503 })));
    const failure = await failureOf(collect(say('Hello.')));
    expect(failure.retryable).toBe(true);
    expect(server.refusedUpgrades).toEqual(Array(4).fill(503));
    // The next text is one more attempt, which shows that there were none in the background.
    await failureOf(collect(say('Hello again.')));
    expect(server.refusedUpgrades).toHaveLength(5);
  });

  it.each(['quota_exceeded', 'invalid_api_key'])(
    'is not attempted again when the provider closes it for %s',
    async (error) => {
      const { server, say } = await localVoice(...Array.from({ length: 20 }, () => ({ error })));
      const failure = await failureOf(collect(say('Hello.')));
      expect(failure.retryable).toBe(false);
      expect(server.connections).toHaveLength(1);
    },
  );

  it('is opened again for the next text when it was closed while idle', async () => {
    const { server, say } = await localVoice();
    await collect(say('Hello.'));
    server.cutConnections();
    await until(() => server.connections[0]?.closed === true);
    const events = await collect(say('Are you still there?'));
    expect(events.some(({ type }) => type === 'audio')).toBe(true);
    expect(server.connections).toHaveLength(2);
  });

  it('fails the utterance when the provider sends no audio', async () => {
    const { say } = await localVoice('mute');
    await expect(collect(say('Hello.'))).rejects.toMatchObject({ fault: 'protocol' });
  });
});
