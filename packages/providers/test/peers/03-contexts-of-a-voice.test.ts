import { describe, expect, it } from 'vitest';
import { collect } from '../options.ts';
import { localVoice } from './elevenlabs.ts';

describe('3. contexts of a voice', () => {
  it('are closed after ten interruptions in a row, so that the provider never runs out of them', async () => {
    const { server, session, say } = await localVoice();
    for (let turn = 0; turn < 10; turn++) {
      const utterance = session.speak();
      utterance.push(`This is reply number ${turn}, and it goes on for quite a while.`);
      const heard: string[] = [];
      for await (const event of utterance) {
        heard.push(event.type);
        if (event.type === 'audio') utterance.cancel();
      }
      // No more events of it are emitted, although the server has sent more.
      expect(heard.filter((type) => type === 'audio')).toHaveLength(1);
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
