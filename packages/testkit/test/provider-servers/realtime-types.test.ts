import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RealtimeServer } from '@va/testkit/provider-servers';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';

type Message = Record<string, unknown> & { type: string };

const here = dirname(fileURLToPath(import.meta.url));
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
const tool = { id: 'call_1', name: 'opening_hours', arguments: '{"day":"friday"}' };

/** Collects everything that a server in OpenAI's dialect sends in a session with each kind of turn, reply and error. */
async function record(): Promise<Message[]> {
  const server = await RealtimeServer.start({
    dialect: 'openai',
    transcripts: ['hello', { text: null }, 'and you'],
    replies: [
      { text: 'Good morning.' },
      { text: 'Let me see.', toolCalls: [tool] },
      { text: 'One two three.', holdAfterWords: 1 },
      { text: 'No.', fails: { type: 'server_error', code: 'server_error' } },
    ],
  });
  const socket = new WebSocket(`${server.url}/realtime?model=m`, { headers: { authorization: 'Bearer key' } });
  onTestFinished(async () => {
    socket.terminate();
    await server.close();
  });
  const received: Message[] = [];
  const waiting = new Set<() => void>();
  socket.on('message', (data) => {
    received.push(JSON.parse(String(data)) as Message);
    for (const look of waiting) look();
  });
  await new Promise((resolve) => socket.once('open', resolve));
  const send = (event: object): void => socket.send(JSON.stringify(event));
  const seen = (type: string, count = 1): Promise<Message> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = received.filter((message) => message.type === type)[count - 1];
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  const audio = Buffer.alloc(1_600, 0x55).toString('base64');
  const speak = (): void => {
    send({ type: 'input_audio_buffer.append', audio });
    send({ type: 'input_audio_buffer.commit' });
  };

  send({ type: 'session.update', session: { type: 'realtime', instructions: 'Hi' } });
  await seen('session.updated');
  speak();
  await seen('conversation.item.input_audio_transcription.completed');
  speak();
  await seen('conversation.item.input_audio_transcription.failed');
  for (let count = 1; count <= 2; count += 1) {
    send({ type: 'response.create', response: {} });
    await seen('response.done', count);
  }
  const item = { type: 'function_call_output', call_id: tool.id, output: '{}' };
  send({ type: 'conversation.item.create', item });
  await seen('response.output_audio.delta');
  const deltas = received.filter(({ type }) => type === 'response.output_audio.delta').length;
  send({ type: 'response.create', response: {} });
  const { item_id } = await seen('response.output_audio.delta', deltas + 1);
  send({ type: 'response.cancel' });
  await seen('response.done', 3);
  send({ type: 'conversation.item.truncate', item_id, content_index: 0, audio_end_ms: 0 });
  await seen('conversation.item.truncated');
  send({ type: 'conversation.item.retrieve', item_id });
  await seen('conversation.item.retrieved');
  send({ type: 'conversation.item.delete', item_id });
  await seen('conversation.item.deleted');
  send({ type: 'response.create', response: {} });
  await seen('response.done', 4);
  send({ type: 'input_audio_buffer.clear' });
  await seen('input_audio_buffer.cleared');
  send({ type: 'input_audio_buffer.commit' });
  await seen('error');
  const input = { format: { type: 'audio/pcmu' }, turn_detection: { type: 'server_vad' } };
  send({ type: 'session.update', session: { type: 'realtime', audio: { input } } });
  send({ type: 'input_audio_buffer.append', audio });
  send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(4_800, 0xff).toString('base64') });
  await seen('input_audio_buffer.speech_stopped');
  return received;
}

/**
 * Removes what OpenAI sends in addition to its own types: `object` and `id` of a session, and a null transcript of
 * audio that is not transcribed yet, as in the examples of its API reference.
 * @see https://platform.openai.com/docs/api-reference/realtime-server-events
 */
function asTyped({ session, ...event }: Message): unknown {
  const { object, id, ...described } = (session ?? {}) as Record<string, unknown>;
  return JSON.parse(JSON.stringify(session === undefined ? event : { ...event, session: described }), (key, value) =>
    key === 'transcript' && value === null ? undefined : value,
  );
}

/** Returns the compiler's errors for the events as values of the SDK's type of server events. */
function faultsOf(events: readonly Message[]): string {
  const folder = mkdtempSync(join(here, '.unpacked-types-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'events.ts');
  const values = events.map((event) => `${JSON.stringify(asTyped(event))} satisfies RealtimeServerEvent,`);
  const source =
    `import type { RealtimeServerEvent } from 'openai/resources/realtime/realtime';\nexport const ` + 'events = [\n';
  writeFileSync(file, `${source}${values.join('\n')}\n];\n`);
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2023'];
  const { stdout } = spawnSync(process.execPath, [tsc, ...options, '--ignoreConfig', basename(file)], {
    cwd: folder,
    encoding: 'utf8',
  });
  return stdout;
}

it('RealtimeServer sends events that match the types of OpenAI’s SDK', async () => {
  const events = await record();
  expect(faultsOf(events)).toBe('');
  const [created] = events;
  expect(faultsOf([{ ...created, type: 'response.done' }])).toContain('error TS');
});
