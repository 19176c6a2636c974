import {
  type AudioFormat,
  type Clock,
  type ModelUsage,
  type RealtimeEvent,
  type RealtimeSessionOptions,
  systemClock,
} from '@va/core/adapter';
import { openaiRealtime } from '@va/providers/openai';
import { xaiRealtime } from '@va/providers/xai';
import {
  type RealtimeConnection,
  type RealtimeDialectName,
  type RealtimeFault,
  RealtimeServer,
  type RealtimeServerOptions,
} from '@va/testkit/provider-servers';
import { afterEach } from 'vitest';
import { common, until } from '../options.ts';

export const dialects: readonly RealtimeDialectName[] = ['openai', 'xai'];
export const pcmu: AudioFormat = { encoding: 'pcmu', sampleRateHz: 8_000 };
const factories = { openai: openaiRealtime, xai: xaiRealtime };

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

export interface SetUp extends Partial<Omit<RealtimeServerOptions, 'dialect'>> {
  readonly faults?: readonly RealtimeFault[];
  readonly session?: Partial<RealtimeSessionOptions>;
  readonly clock?: Clock;
  readonly format?: AudioFormat;
  readonly maxSessionMs?: number;
  readonly timeoutMs?: number;
  /** False for a pipeline that reads nothing until `read` is called. */
  readonly reads?: boolean;
}

/**
 * A session with a server of the dialect; `events` and `usage` grow as they arrive, `ended` settles with the iteration.
 */
export async function setUp(dialect: RealtimeDialectName, options: SetUp = {}) {
  const { faults = [], session: changes = {}, clock = systemClock, format = pcmu, reads = true, ...rest } = options;
  const { maxSessionMs, timeoutMs, ...script } = rest;
  const server = await RealtimeServer.start({ dialect, ...script });
  server.failNext(...faults);
  const call = new AbortController();
  const model = factories[dialect]({
    apiKey: 'rt-key',
    baseUrl: server.url,
    headers: { 'x-team': 'voice' },
    ...(maxSessionMs !== undefined && { maxSessionMs }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  const session = model.open({
    ...common(call.signal),
    clock,
    config: { provider: model.id, messages: [], tools: [] },
    instructions: 'Be brief.',
    tools: [{ name: 'book', description: 'Books a table.', parameters: { type: 'object', properties: {} } }],
    history: [],
    inputFormat: format,
    outputFormat: format,
    ...changes,
  });
  closers.push(
    () => server.close(),
    () => session.close(),
  );
  const events: RealtimeEvent[] = [];
  const usage: ModelUsage[] = [];
  const read = async () => {
    for await (const event of session) {
      if (event.type === 'usage') usage.push(event.usage);
      else events.push(event);
    }
  };
  const ended = reads ? read() : Promise.resolve();
  ended.catch(() => undefined);
  return { server, call, session, events, usage, ended, read };
}

/** Speech of that many milliseconds, in frames of 20 ms as the pipeline sends them; each contains its number. */
export function speech(durationMs: number, bytesPerMs = 8): Uint8Array[] {
  return Array.from({ length: durationMs / 20 }, (_, at) => new Uint8Array(20 * bytesPerMs).fill(at + 1));
}

export const ofType = <Type extends RealtimeEvent['type']>(events: readonly RealtimeEvent[], type: Type) =>
  events.filter((event): event is Extract<RealtimeEvent, { type: Type }> => event.type === type);

/** Ends of responses, such as `1 completed`. */
export const endings = (events: readonly RealtimeEvent[]): string[] =>
  events.flatMap((event) => {
    if (event.type === 'response-done') return [`${event.response} ${event.status}`];
    return event.type === 'response-failed' ? [`${event.response} failed`] : [];
  });

export const saidIn = (events: readonly RealtimeEvent[], response: number): string =>
  ofType(events, 'text')
    .filter((event) => event.response === response)
    .map(({ text }) => text)
    .join('');

export const audioBytes = (events: readonly RealtimeEvent[]): number =>
  ofType(events, 'audio').reduce((sum, { audio }) => sum + audio.length, 0);

/** Names of the client's events, except audio. */
export const sentTo = (connection: RealtimeConnection | undefined): string[] =>
  (connection?.events ?? []).map(({ event }) => String(event.type)).filter((type) => !type.endsWith('.append'));

export const eventsOf = (connection: RealtimeConnection | undefined, type: string): Record<string, unknown>[] =>
  (connection?.events ?? []).map(({ event }) => event).filter((event) => event.type === type);

export async function untilSent(server: RealtimeServer, type: string, connection = 0): Promise<void> {
  await until(() => eventsOf(server.connections[connection], type).length > 0);
}
