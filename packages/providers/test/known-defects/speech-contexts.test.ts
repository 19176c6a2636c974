import { describe, expect, it } from 'vitest';
import { collect } from '../options.ts';
import { localVoice } from './local-voice.ts';

describe('contexts of a speech session', () => {
  it('stay within the limit of the provider when ten utterances in a row are interrupted', async () => {
    const { server, session, say } = await localVoice();
    for (let turn = 0; turn < 10; turn++) {
      const utterance = session.speak();
      utterance.push(`This is reply number ${turn}, and it goes on for quite a while.`);
      const types: string[] = [];
      for await (const event of utterance) {
        types.push(event.type);
        if (event.type === 'audio') utterance.cancel();
      }
      // The server has sent more events.
      expect(types.filter((type) => type === 'audio')).toHaveLength(1);
    }
    const last = await collect(say('The last word.'));
    const bytes = last.reduce((sum, event) => sum + (event.type === 'audio' ? event.audio.length : 0), 0);
    expect(bytes).toBe('The last word. '.length * 40 * 8);
    expect(server.connections.every(({ mostOpen }) => mostOpen <= 5)).toBe(true);
    const messages = server.connections.flatMap((connection) => connection.messages);
    const contexts = new Set(messages.map(({ context_id: id }) => id).filter((id) => id !== undefined));
    expect(contexts.size).toBe(11);
  });
});
