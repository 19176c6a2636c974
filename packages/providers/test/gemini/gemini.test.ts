import { GoogleGenAI, type LiveServerMessage, Modality } from '@google/genai';
import { type ModelUsage, type RealtimeEvent, type RealtimeSessionOptions, systemClock } from '@va/core/adapter';
import { geminiLive } from '@va/providers/gemini';
import { type GeminiFault, GeminiServer, type GeminiServerOptions } from '@va/testkit/provider-servers';
import { afterEach, describe, expect, it } from 'vitest';
import { common, until } from '../options.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface SetUp extends GeminiServerOptions {
  readonly faults?: readonly GeminiFault[];
  readonly session?: Partial<RealtimeSessionOptions>;
}

async function setUp({ faults = [], session: changes = {}, ...script }: SetUp = {}) {
  const server = await GeminiServer.start(script);
  server.failNext(...faults);
  const model = geminiLive({ apiKey: 'host-key', baseUrl: server.url });
  const session = model.open({
    ...common(),
    clock: systemClock,
    config: { provider: model.id, messages: [], tools: [] },
    instructions: 'Be brief.',
    tools: [{ name: 'book', description: 'Books a table.', parameters: { type: 'object', properties: {} } }],
    history: [],
    inputFormat: { encoding: 'pcm16', sampleRateHz: 16_000 },
    outputFormat: { encoding: 'pcm16', sampleRateHz: 24_000 },
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
  const ended = read();
  ended.catch(() => undefined);
  const speak = (turn: number) => {
    for (let frame = 0; frame < 25; frame++) session.send(new Uint8Array(640).fill(frame + 1));
    session.commit(turn);
  };
  return { server, session, events, usage, ended, speak };
}

const endings = (events: readonly RealtimeEvent[]): string[] =>
  events.flatMap((event) => {
    if (event.type === 'response-done') return [`${event.response} ${event.status}`];
    return event.type === 'response-failed' ? [`${event.response} failed`] : [];
  });

const said = (events: readonly RealtimeEvent[], response: number): string =>
  events.map((event) => (event.type === 'text' && event.response === response ? event.text : '')).join('');

const turnsOf = (events: readonly RealtimeEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'user-text' ? [`${event.turn} ${event.text}`] : []));

/** Names of the client's inputs, and their texts. */
const inputs = (server: GeminiServer, connection = 0): string[] =>
  (server.connections[connection]?.messages ?? []).map((message) => {
    const [name = '', value] = Object.entries(message)[0] ?? [];
    if (name !== 'realtimeInput') return name;
    const [kind = '', content] = Object.entries(value as object)[0] ?? [];
    return kind === 'text' ? `text ${content}` : kind;
  });

describe('geminiLive', () => {
  it('answers a turn in one activity, with the transcripts of both sides and the usage', async () => {
    const { server, session, events, usage, speak } = await setUp({
      transcripts: ['a table for two'],
      replies: [{ text: 'Certainly, for two.' }],
    });
    speak(1);
    session.respond(1, { withTools: true });
    await until(() => endings(events).length > 0);
    expect(endings(events)).toEqual(['1 completed']);
    expect(turnsOf(events)).toEqual(['1 a table for two']);
    expect(said(events, 1)).toBe('Certainly, for two.');
    expect(inputs(server)).toEqual(['setup', 'activityStart', 'activityEnd']);
    expect(server.connections[0]).toMatchObject({ audioBytes: 16_000, strayBytes: 0 });
    expect(usage).toEqual([{ inputTokens: 20, inputAudioTokens: 15, outputTokens: 9, outputAudioTokens: 9 }]);
  });

  it('turns the activity detection off, and describes voice, tools and options in the setup', async () => {
    const config = {
      ...{ provider: 'gemini_live', messages: [], tools: [], voice: 'Kore', language: 'nl-NL', temperature: 0.4 },
      ...{ thinking_budget: 0, options: { proactivity: { proactiveAudio: true } } },
    };
    const { server } = await setUp({ session: { config, apiKey: 'their-key' } });
    await until(() => server.connections[0]?.setup.model !== undefined);
    expect(server.connections[0]?.query.get('key')).toBe('their-key');
    expect(server.connections[0]?.setup).toMatchObject({
      model: 'models/gemini-2.5-flash-native-audio-preview-12-2025',
      generationConfig: {
        responseModalities: ['AUDIO'],
        temperature: 0.4,
        thinkingConfig: { thinkingBudget: 0 },
        speechConfig: { languageCode: 'nl-NL', voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
      },
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      tools: [{ functionDeclarations: [{ name: 'book', parametersJsonSchema: { type: 'object' } }] }],
      realtimeInputConfig: { automaticActivityDetection: { disabled: true } },
      proactivity: { proactiveAudio: true },
    });
  });

  it("holds the caller's audio until the current response is complete", async () => {
    const { server, session, events, speak } = await setUp({ replies: [{ text: 'One two three four five.' }] });
    speak(1);
    session.respond(1, { withTools: false });
    await until(() => said(events, 1) !== '');
    speak(2);
    await until(() => endings(events).length > 0);
    expect(endings(events)).toEqual(['1 completed']);
    session.respond(2, { withTools: false });
    await until(() => endings(events).length > 1);
    expect(server.connections[0]).toMatchObject({ audioBytes: 32_000, strayBytes: 0 });
  });

  it('interrupts a canceled response by an activity, and tells the model what the caller heard', async () => {
    const replies = [{ text: 'One two three four.', holdAfterWords: 3 }, { text: 'Yes?' }];
    const { server, session, events, speak } = await setUp({ replies });
    speak(1);
    session.respond(1, { withTools: false });
    await until(() => said(events, 1) === 'One two three ');
    const item = events.find((event) => event.type === 'audio')?.item ?? '';
    session.cancel(1);
    session.truncate(item, 100);
    speak(2);
    session.respond(2, { withTools: false });
    await until(() => endings(events).length > 1);
    expect(endings(events)).toEqual(['1 cancelled', '2 completed']);
    expect(said(events, 2)).toBe('Yes?');
    const note = 'text (Your last reply was interrupted. The caller heard only this part of it: "One")';
    expect(inputs(server).slice(3)).toEqual(['activityStart', note, 'activityEnd']);
  });

  it('passes a tool call on, and its result requests the next response', async () => {
    const call = { id: 'call-1', name: 'book', args: { seats: 2 } };
    const { server, session, events, speak } = await setUp({ replies: [{ calls: [call] }, { text: 'Booked.' }] });
    speak(1);
    session.respond(1, { withTools: true });
    await until(() => endings(events).length > 0);
    expect(events.find(({ type }) => type === 'tool-call')).toMatchObject({
      call: { id: 'call-1', name: 'book', arguments: '{"seats":2}' },
    });
    session.addToolResult('call-1', 'done');
    session.respond(2, { withTools: true });
    await until(() => endings(events).length > 1);
    expect(said(events, 2)).toBe('Booked.');
    expect(server.connections[0]?.messages.at(-1)).toEqual({
      toolResponse: { functionResponses: [{ id: 'call-1', name: 'book', response: { output: 'done' } }] },
    });
  });

  it('requests a fixed text, and a first response without input', async () => {
    const { server, session, events } = await setUp();
    session.respond(1, { withTools: false, say: 'Hello.' });
    session.respond(2, { withTools: false });
    await until(() => endings(events).length > 1);
    expect(inputs(server).filter((each) => each.startsWith('text'))).toEqual([
      'text Say exactly this to the caller, and nothing else: "Hello."',
      'text (The caller waits for you to speak.)',
    ]);
  });

  it('resumes the session on another connection after GoAway, in a pause', async () => {
    const { server, session, events, speak } = await setUp();
    speak(1);
    session.respond(1, { withTools: false });
    await until(() => endings(events).length > 0);
    server.goAway('50s');
    await until(() => server.connections[1]?.setup.model !== undefined);
    expect(server.connections[1]?.setup).toMatchObject({ sessionResumption: { handle: 'handle-1' } });
    expect(inputs(server, 1)).toEqual(['setup']);
    speak(2);
    session.respond(2, { withTools: false });
    await until(() => endings(events).length > 1);
    expect(endings(events)).toEqual(['1 completed', '2 completed']);
  });

  it('continues with changed instructions on another connection', async () => {
    const { server, session } = await setUp();
    await until(() => server.connections[0]?.setup.model !== undefined);
    session.update({ instructions: 'Speak Dutch.' });
    await until(() => server.connections[1]?.setup.model !== undefined);
    expect(server.connections[1]?.setup.systemInstruction).toEqual({ parts: [{ text: 'Speak Dutch.' }] });
  });

  it('sends a turn again when the connection is cut before its response', async () => {
    const { server, session, events, speak } = await setUp({ faults: ['cut-at-request'] });
    speak(1);
    session.respond(1, { withTools: false });
    await until(() => endings(events).length > 0);
    expect(endings(events)).toEqual(['1 completed']);
    expect(server.connections.map(({ audioBytes }) => audioBytes)).toEqual([16_000, 16_000]);
  });

  it('starts a new session with the conversation when the service rejects the handle', async () => {
    const history = [{ role: 'user', content: 'Good morning.' }] as const;
    const { server, session, events, speak } = await setUp({ session: { history } });
    speak(1);
    session.respond(1, { withTools: false });
    await until(() => endings(events).length > 0);
    server.failNext({ closeCode: 1008, reason: 'BidiGenerateContent session not found' });
    server.goAway('50s');
    await until(() => inputs(server, 2).length > 1);
    expect(server.connections[2]?.setup.sessionResumption).toEqual({});
    expect(server.connections[2]?.messages[1]).toEqual({
      clientContent: {
        turns: [
          { role: 'user', parts: [{ text: 'Good morning.' }] },
          { role: 'user', parts: [{ text: 'turn' }] },
          { role: 'model', parts: [{ text: 'Okay.' }] },
        ],
        turnComplete: false,
      },
    });
  });

  it('announces the history to Gemini 3, which takes no other content', async () => {
    const config = { provider: 'gemini_live', messages: [], tools: [], model: 'gemini-3.1-flash-live-preview' };
    const history = [{ role: 'user', content: 'Good morning.' }] as const;
    const { server, session, events } = await setUp({ session: { config, history } });
    session.respond(1, { withTools: false });
    await until(() => endings(events).length > 0);
    expect(endings(events)).toEqual(['1 completed']);
    expect(server.connections[0]?.setup.historyConfig).toEqual({ initialHistoryInClientContent: true });
  });

  it.each([
    [1007, 'API key not valid. Please pass a valid API key host-key.', 'auth'],
    [1007, 'Request contains an invalid argument.', 'invalid_request'],
    [1008, 'models/none is not found for API version v1beta', 'invalid_request'],
    [1011, 'You exceeded your current quota, please check your plan and billing details.', 'quota'],
  ])('classifies close code %i with "%s" as %s', async (closeCode, reason, fault) => {
    const { ended } = await setUp({ faults: [{ closeCode, reason }] });
    const error = await ended.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ fault, retryable: false });
    expect(String(error)).not.toContain('host-key');
  });
});

describe('GeminiServer', () => {
  it('serves a whole turn with a tool to the client of @google/genai', async () => {
    const call = { id: 'call-1', name: 'book', args: { seats: 2 } };
    const server = await GeminiServer.start({ replies: [{ calls: [call] }, { text: 'Booked.' }] });
    closers.push(() => server.close());
    const client = new GoogleGenAI({ apiKey: 'key', httpOptions: { baseUrl: server.url.replace('ws', 'http') } });
    const messages: LiveServerMessage[] = [];
    const session = await client.live.connect({
      model: 'gemini-2.5-flash-native-audio-preview-12-2025',
      config: {
        responseModalities: [Modality.AUDIO],
        realtimeInputConfig: { automaticActivityDetection: { disabled: true } },
        inputAudioTranscription: {},
        outputAudioTranscription: {},
      },
      callbacks: { onmessage: (message) => void messages.push(message) },
    });
    closers.push(() => session.close());
    session.sendRealtimeInput({ activityStart: {} });
    const data = Buffer.alloc(3_200, 1).toString('base64');
    session.sendRealtimeInput({ audio: { data, mimeType: 'audio/pcm;rate=16000' } });
    session.sendRealtimeInput({ activityEnd: {} });
    await until(() => messages.some(({ toolCall }) => toolCall !== undefined));
    expect(messages.flatMap(({ toolCall }) => toolCall?.functionCalls ?? [])).toEqual([call]);
    session.sendToolResponse({ functionResponses: [{ id: 'call-1', name: 'book', response: { output: 'done' } }] });
    await until(() => messages.some(({ serverContent }) => serverContent?.turnComplete === true));
    const contents = messages.flatMap(({ serverContent }) => serverContent ?? []);
    expect(contents.map(({ outputTranscription }) => outputTranscription?.text ?? '').join('')).toBe('Booked.');
    expect(contents.map(({ inputTranscription }) => inputTranscription?.text ?? '').join('')).toBe('turn');
    expect(contents.some(({ modelTurn }) => modelTurn?.parts?.[0]?.inlineData?.data !== undefined)).toBe(true);
  });
});
