import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import {
  DeepgramServer,
  ElevenLabsServer,
  OpenAiServer,
  RealtimeServer,
  ScribeServer,
} from '@va/testkit/provider-servers';
import { describe, expect, it, onTestFinished } from 'vitest';

const folder = fileURLToPath(new URL('../../../../tools/clients/', import.meta.url));
const isInstalled = existsSync(`${folder}node_modules/@livekit/agents`);
if (!isInstalled)
  console.warn('The servers are not tested with LiveKit: its plugins are not installed (npm run clients).');

type Client =
  | 'deepgram-nova'
  | 'deepgram-flux'
  | 'elevenlabs'
  | 'elevenlabs-scribe'
  | 'openai-chat'
  | 'openai-realtime'
  | 'xai-realtime';

/** Runs a client in its own process and returns the result that it prints. */
async function run(client: Client, url: string): Promise<Record<string, unknown>> {
  const child = spawn(process.execPath, [`${folder}livekit.mjs`, client, url], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const line = output.trim().split('\n').at(-1) ?? '';
  if (!line.startsWith('{')) throw new Error(`The client printed no result: ${output}${errors}`);
  return JSON.parse(line) as Record<string, unknown>;
}

async function closing<T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const server = await starting;
  onTestFinished(() => server.close());
  return server;
}

const opened = { id: 'call_1', name: 'opening_hours', arguments: '{"day":"friday"}' };

describe.skipIf(!isInstalled)('the plugins of LiveKit Agents', () => {
  it.each(['deepgram-nova', 'deepgram-flux'] as const)('recognize a turn on DeepgramServer: %s', async (client) => {
    const server = await closing(DeepgramServer.start({ turns: ['good morning to you'] }));
    expect(await run(client, server.url)).toEqual({
      events: [
        { type: 'START_OF_SPEECH', text: null },
        { type: 'INTERIM_TRANSCRIPT', text: 'good' },
        { type: 'INTERIM_TRANSCRIPT', text: 'good morning' },
        { type: 'INTERIM_TRANSCRIPT', text: 'good morning to' },
        { type: 'FINAL_TRANSCRIPT', text: 'good morning to you' },
        { type: 'END_OF_SPEECH', text: null },
      ],
    });
  });

  it('speak with words on ElevenLabsServer', async () => {
    const server = await closing(ElevenLabsServer.start());
    const { audioMs, words } = await run('elevenlabs', server.url);
    expect(audioMs).toBe(40 * 'Good morning. How can I help you today? '.length);
    expect(words).toEqual(['Good ', 'morning. ', 'How ', 'can ', 'I ', 'help ', 'you ', 'today? ']);
    expect(server.connections[0]?.mostOpen).toBe(1);
  });

  it('commit a turn on ScribeServer, and learn its language', async () => {
    const server = await closing(ScribeServer.start(['goedemorgen allemaal'], ['nl']));
    expect(await run('elevenlabs-scribe', server.url)).toEqual({
      events: [
        { type: 'INTERIM_TRANSCRIPT', text: 'goedemorgen', language: 'en' },
        { type: 'INTERIM_TRANSCRIPT', text: 'goedemorgen allemaal', language: 'en' },
        { type: 'FINAL_TRANSCRIPT', text: 'goedemorgen allemaal', language: 'nl' },
      ],
    });
    expect(server.connections[0]).toMatchObject({ commits: 1 });
  });

  it('get a text, its usage, and two tool calls of OpenAiServer', async () => {
    const server = await closing(OpenAiServer.start());
    server.reply(
      { text: 'Good morning.' },
      { toolCalls: [opened, { id: 'call_2', name: 'note', arguments: '{"text":"x"}' }] },
    );
    expect(await run('openai-chat', server.url)).toEqual({
      replies: [
        { text: 'Good morning.', calls: [], tokens: 12 },
        {
          text: '',
          calls: [
            { name: 'opening_hours', args: '{"day":"friday"}' },
            { name: 'note', args: '{"text":"x"}' },
          ],
          tokens: 11,
        },
      ],
    });
  });

  it.each(['openai', 'xai'] as const)('talk, call a tool and truncate on RealtimeServer: %s', async (dialect) => {
    const server = await closing(
      RealtimeServer.start({
        ...{ dialect, transcripts: ['When are you open?'] },
        replies: [{ text: 'Let me see.', toolCalls: [opened] }, { text: 'Until ten.' }],
      }),
    );
    const heard = await run(`${dialect}-realtime`, server.url);
    expect(heard).toMatchObject({
      ...{ errors: [], transcripts: ['When are you open?'], asked: ['friday'] },
      replies: [
        { text: 'Let me see.', audioMs: 440, calls: [{ name: 'opening_hours' }] },
        { text: 'Until ten.', audioMs: 400, calls: [] },
      ],
    });
    const items = server.connections[0]?.items ?? [];
    expect(items.map(({ type }) => type)).toEqual([
      ...['message', 'message', 'function_call', 'function_call_output', 'message'],
    ]);
    expect(items.at(-1)).toMatchObject({ role: 'assistant', audioMs: 100 });
  });
});
