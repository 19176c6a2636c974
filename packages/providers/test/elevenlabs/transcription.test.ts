import type { SttConfig } from '@va/core';
import { type Clock, systemClock } from '@va/core/adapter';
import { elevenlabsTranscription } from '@va/providers/elevenlabs';
import { VirtualClock } from '@va/testkit';
import { type ScribeFault, ScribeServer } from '@va/testkit/provider-servers';
import { afterEach, describe, expect, it } from 'vitest';
import { common, until } from '../options.ts';
import { heardBy, named, speak } from '../recognition.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface SetUp {
  readonly turns?: readonly string[];
  readonly config?: Partial<SttConfig>;
  readonly hints?: readonly string[];
  readonly languages?: readonly string[];
  readonly detected?: readonly (string | null)[];
  readonly faults?: readonly ScribeFault[];
  readonly clock?: Clock;
}

async function setUp(options: SetUp = {}) {
  const { turns = [], config = {}, hints = [], faults = [], clock = systemClock, languages, detected } = options;
  const server = await ScribeServer.start(turns, detected);
  server.failNext(...faults);
  const stream = elevenlabsTranscription({ apiKey: 'key', baseUrl: server.url, enableLogging: false }).open({
    ...common(),
    clock,
    config: { provider: 'elevenlabs', ...config },
    format: { encoding: 'pcmu', sampleRateHz: 8_000 },
    hints,
    ...(languages !== undefined && { languages }),
  });
  closers.push(
    () => server.close(),
    () => stream.close(),
  );
  return { server, stream, ...heardBy(stream) };
}

describe('transcription of elevenlabs', () => {
  it('commits a turn when the pipeline has detected its end', async () => {
    const { stream, events } = await setUp({ turns: ['yes please', 'thank you'] });
    speak(stream, 21);
    stream.finalize();
    await until(() => named(events).includes('finalized'));
    speak(stream, 21);
    stream.finalize();
    await until(() => named(events).filter((each) => each === 'finalized').length === 2);
    expect(named(events).filter((each) => !each.startsWith('partial'))).toEqual([
      ...['final yes please', 'finalized'],
      ...['final thank you', 'finalized'],
    ]);
  });

  it('ends the turn without words when the service rejects a commit of too little audio', async () => {
    const { stream, events, server } = await setUp();
    stream.finalize();
    await until(() => named(events).includes('finalized'));
    expect(named(events)).toEqual(['finalized']);
    expect(server.connections).toHaveLength(1);
  });

  it('uses the last partial after a second without a response', async () => {
    const clock = new VirtualClock();
    const { stream, events, server } = await setUp({ turns: ['yes please'], faults: ['silent-commit'], clock });
    speak(stream, 21);
    stream.finalize();
    await until(() => server.connections[0]?.commits === 1 && named(events).includes('partial yes please'));
    await clock.advance(999);
    expect(named(events)).not.toContain('finalized');
    await clock.advance(1);
    await until(() => named(events).includes('finalized'));
    expect(named(events)).toContain('final yes please');
  });

  it('sends unsettled audio again on another connection', async () => {
    const { server, stream, events } = await setUp({ turns: ['yes please'], faults: [{ breakAfterChunks: 4 }] });
    speak(stream, 21);
    stream.finalize();
    await until(() => named(events).includes('finalized'));
    expect(named(events)).toContain('final yes please');
    expect(server.connections).toHaveLength(2);
  });

  it.each([
    ['auth_error', 'auth'],
    ['quota_exceeded', 'quota'],
    ['unaccepted_terms', 'auth'],
    ['invalid_request', 'invalid_request'],
  ])('does not retry after %s', async (error, fault) => {
    const { failure, server } = await setUp({ faults: [{ error }] });
    expect(await failure).toMatchObject({ fault, retryable: false });
    expect(server.connections).toHaveLength(1);
  });

  it.each(['rate_limited', 'queue_overflow', 'session_time_limit_exceeded', 'insufficient_audio_activity'])(
    'connects again after %s',
    async (error) => {
      const { server } = await setUp({ faults: [{ error }] });
      await until(() => server.connections.length === 2);
    },
  );

  it('sends its settings and the key terms that the service accepts', async () => {
    const { server } = await setUp({
      config: { language: 'nl-NL', no_verbatim: true, options: { new_feature: 1 } },
      hints: ['Trattoria Roma', 'a term of more than twenty characters'],
    });
    await until(() => server.connections.length === 1);
    expect(Object.fromEntries(server.connections[0]?.query ?? [])).toMatchObject({
      model_id: 'scribe_v2_realtime',
      audio_format: 'ulaw_8000',
      commit_strategy: 'manual',
      language_code: 'nl',
      no_verbatim: 'true',
      new_feature: '1',
      enable_logging: 'false',
    });
    expect(server.connections[0]?.query.getAll('keyterms')).toEqual(['Trattoria Roma']);
  });
});

describe('transcription of elevenlabs with several languages', () => {
  const languages = ['nl-NL', 'en'];

  it('asks for the language of committed words, and reports it with them', async () => {
    const turns = ['goedemorgen allemaal', 'a table'];
    const { stream, events, server } = await setUp({ turns, languages, detected: ['nl', null] });
    for (let turn = 1; turn <= 2; turn++) {
      speak(stream, 21);
      stream.finalize();
      await until(() => named(events).filter((each) => each === 'finalized').length === turn);
    }
    expect(events.filter(({ type }) => type === 'final')).toEqual([
      { type: 'final', text: 'goedemorgen allemaal', language: 'nl' },
      { type: 'final', text: 'a table' },
    ]);
    const query = server.connections[0]?.query;
    expect(query?.get('language_code')).toBe('nl');
    expect(query?.getAll('secondary_languages')).toEqual(['en']);
    expect(query?.get('include_language_detection')).toBe('true');
  });

  it('reports the words without their language after 300 ms', async () => {
    const clock = new VirtualClock();
    const { stream, events, server } = await setUp({ turns: ['a table'], languages, faults: ['no-language'], clock });
    speak(stream, 21);
    stream.finalize();
    await until(() => server.connections[0]?.commits === 1 && named(events).includes('partial a table'));
    // Timers of the heartbeat, the commit and the language.
    await until(() => clock.pending === 3);
    await clock.advance(299);
    expect(named(events)).not.toContain('finalized');
    await clock.advance(1);
    await until(() => named(events).includes('finalized'));
    expect(events).toContainEqual({ type: 'final', text: 'a table' });
  });
});
