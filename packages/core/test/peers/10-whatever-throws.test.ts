import { type Provider, ProviderError, type RecordingStore, type TtsSessionOptions } from '@va/core/adapter';
import { memory } from '@va/storage/memory';
import {
  calling,
  ScriptedIncomingCall,
  ScriptedWebhooks,
  saying,
  scriptedLlm,
  scriptedStt,
  scriptedTts,
} from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dialedNumber, PhoneCall } from '../support/phone-call.ts';

const boom = (): never => {
  throw new Error('boom');
};
const rejects = (): Promise<never> => Promise.reject(new Error('boom'));

/** What would have ended the host's process. */
const escaped: unknown[] = [];
const note = (thrown: unknown): void => {
  escaped.push(thrown);
};
beforeEach(() => {
  escaped.length = 0;
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
});
afterEach(() => {
  process.off('unhandledRejection', note);
  process.off('uncaughtException', note);
});

/** Replaces methods of an object, its class's among them. */
function withMethods<T extends object>(target: T, methods: Record<PropertyKey, unknown>): T {
  return new Proxy(target, {
    get(real, name) {
      if (name in methods) return methods[name];
      const value: unknown = Reflect.get(real, name);
      return typeof value === 'function' ? value.bind(real) : value;
    },
  });
}

/** Lets what a method gives be broken in turn. */
function giving<T extends object>(target: T, method: string, methods: Record<PropertyKey, unknown>): T {
  const real: unknown = Reflect.get(target, method);
  if (typeof real !== 'function') throw new Error(`There is no method ${method}.`);
  return withMethods(target, { [method]: (...args: unknown[]) => withMethods(real.apply(target, args), methods) });
}

/** A stream that breaks as soon as it is read. */
const brokenStream = (thrown: Error): Record<PropertyKey, unknown> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(thrown) }),
});

interface Parts {
  readonly stt?: Provider;
  readonly llm?: Provider;
  readonly tts?: Provider;
  /** Takes over from the recognizer. */
  readonly spare?: Provider;
  readonly webhooks?: ScriptedWebhooks;
  readonly storage?: ReturnType<typeof memory>;
  readonly recordings?: RecordingStore;
  readonly vad?: { windowSamples: number; createStream(): { probability(): number } };
  readonly incoming?: ScriptedIncomingCall;
  /** What the host does when it is told of something. */
  readonly listener?: () => unknown;
}

const stt = (): Provider & object => scriptedStt({ turns: ['Look it up.', 'And then?', 'Well.'] });
const llm = (): Provider & object =>
  scriptedLlm([
    calling('look_up'),
    saying('Here it is, as you wished, and there is a lot more to be told about it, if you care.'),
  ]);
const tts = (): Provider & object => scriptedTts();

function incomingWith(methods: Record<string, () => unknown>): ScriptedIncomingCall {
  return Object.assign(new ScriptedIncomingCall({ to: dialedNumber }), methods);
}

function recordingsWith(sink: Partial<Record<'write' | 'close', () => never | Promise<never>>>): RecordingStore {
  const whole = { write() {}, close: async () => {}, ...sink };
  return { create: async () => whole, open: async () => null, delete: async () => false };
}

function webhooksWith(methods: Partial<ScriptedWebhooks>): ScriptedWebhooks {
  return Object.assign(new ScriptedWebhooks(), methods);
}

/** The storage, whose method breaks once the call is there. */
function storageWith(collection: 'calls' | 'callEvents' | 'usageLogs', method: string, run: () => unknown) {
  const whole = memory();
  return withMethods(whole, { [collection]: withMethods(whole[collection], { [method]: run }) });
}

const edges: Record<string, () => Parts> = {
  'recognizer: open throws': () => ({ stt: withMethods(stt(), { open: boom }) }),
  'recognizer: send throws': () => ({ stt: giving(stt(), 'open', { send: boom }) }),
  'recognizer: finalize throws': () => ({ stt: giving(stt(), 'open', { finalize: boom }) }),
  'recognizer: speechStarted throws': () => ({ stt: giving(stt(), 'open', { speechStarted: boom }) }),
  'recognizer: close throws': () => ({ stt: giving(stt(), 'open', { close: boom }) }),
  'recognizer: the stream rejects': () => ({
    stt: withMethods(stt(), {
      open: () => ({ send() {}, finalize() {}, speechStarted() {}, close() {}, ...brokenStream(new Error('boom')) }),
    }),
  }),
  'recognizer: one with another behind it is lost, and its close throws': () => ({
    stt: withMethods(stt(), {
      open: () => ({ send() {}, finalize() {}, speechStarted() {}, close: boom, ...brokenStream(new Error('boom')) }),
    }),
    spare: scriptedStt({ id: 'spare', turns: ['Look it up.', 'And then?', 'Well.'] }),
  }),
  'model: stream throws': () => ({ llm: withMethods(llm(), { stream: boom }) }),
  'model: the stream rejects': () => ({ llm: withMethods(llm(), { stream: () => brokenStream(new Error('boom')) }) }),
  'model: the stream rejects in the provider’s own way': () => ({
    llm: withMethods(llm(), { stream: () => brokenStream(new ProviderError('scripted', 'connection', 'gone')) }),
  }),
  'voice: open throws': () => ({ tts: withMethods(tts(), { open: boom }) }),
  'voice: speak throws': () => ({ tts: giving(tts(), 'open', { speak: boom }) }),
  'voice: close throws': () => ({ tts: giving(tts(), 'open', { close: boom }) }),
  'voice: push throws': () => ({ tts: speaking({ push: boom }) }),
  'voice: end throws': () => ({ tts: speaking({ end: boom }) }),
  'voice: cancel throws': () => ({ tts: speaking({ cancel: boom }) }),
  'voice: the utterance rejects': () => ({ tts: speaking(brokenStream(new Error('boom'))) }),
  'webhooks: request throws': () => ({ webhooks: webhooksWith({ request: boom }) }),
  'webhooks: request rejects': () => ({ webhooks: webhooksWith({ request: rejects }) }),
  'webhooks: hasRoom throws': () => ({ webhooks: webhooksWith({ hasRoom: boom }) }),
  'webhooks: deliver throws': () => ({ webhooks: webhooksWith({ deliver: boom }) }),
  'recorder: create throws': () => ({
    recordings: { create: boom, open: async () => null, delete: async () => false },
  }),
  'recorder: create rejects': () => ({
    recordings: { create: rejects, open: async () => null, delete: async () => false },
  }),
  'recorder: write throws': () => ({ recordings: recordingsWith({ write: boom }) }),
  'recorder: close throws': () => ({ recordings: recordingsWith({ close: boom }) }),
  'recorder: close rejects': () => ({ recordings: recordingsWith({ close: rejects }) }),
  'storage: a call cannot be stored': () => ({ storage: storageWith('calls', 'insert', rejects) }),
  'storage: a call cannot be stored, at once': () => ({ storage: storageWith('calls', 'insert', boom) }),
  'storage: a call cannot be changed': () => ({ storage: storageWith('calls', 'update', rejects) }),
  'storage: a call cannot be changed, at once': () => ({ storage: storageWith('calls', 'update', boom) }),
  'storage: events cannot be stored': () => ({ storage: storageWith('callEvents', 'insertMany', rejects) }),
  'storage: events cannot be stored, at once': () => ({ storage: storageWith('callEvents', 'insertMany', boom) }),
  'detector: createStream throws': () => ({ vad: { windowSamples: 160, createStream: boom } }),
  'detector: probability throws': () => ({
    vad: { windowSamples: 160, createStream: () => ({ probability: boom }) },
  }),
  'leg: send throws': () => ({ incoming: incomingWith({ send: boom }) }),
  'leg: ring throws': () => ({ incoming: incomingWith({ ring: boom }) }),
  'leg: answer throws': () => ({ incoming: incomingWith({ answer: boom }) }),
  'leg: answer rejects': () => ({ incoming: incomingWith({ answer: rejects }) }),
  'leg: hangup throws': () => ({ incoming: incomingWith({ hangup: boom }) }),
  'leg: a refused call cannot be refused': () => ({
    incoming: incomingWith({ reject: boom }),
    storage: storageWith('calls', 'insert', rejects),
  }),
  'leg: onFrame throws': () => ({ incoming: incomingWith({ onFrame: boom }) }),
  'host: a listener throws': () => ({ listener: boom }),
};

function speaking(methods: Record<PropertyKey, unknown>): Provider {
  const voice = scriptedTts();
  return {
    ...voice,
    open: (options: TtsSessionOptions) => giving(voice.open(options), 'speak', methods),
  };
}

async function serve(parts: Parts): Promise<PhoneCall> {
  const webhooks = parts.webhooks ?? new ScriptedWebhooks();
  const call = new PhoneCall({
    webhooks,
    service: {
      providers: [parts.stt ?? stt(), parts.llm ?? llm(), parts.tts ?? tts(), ...(parts.spare ? [parts.spare] : [])],
      ...(parts.storage === undefined ? {} : { storage: parts.storage }),
      ...(parts.vad === undefined ? {} : { vad: parts.vad }),
    },
    ...(parts.recordings === undefined ? {} : { recordings: parts.recordings }),
  });
  await call.prepare({
    first_message: 'Good evening.',
    recording_enabled: true,
    ...(parts.spare ? { stt_config: { provider: 'scripted', fallbacks: [{ provider: 'spare' }] } } : {}),
    llm_config: { provider: 'scripted', tools: [{ type: 'function', name: 'look_up' }] },
  });
  for (const event of ['call.created', 'call.answered', 'call.notice', 'call.dtmf', 'call.ended'] as const) {
    call.va.events.on(event, () => parts.listener?.());
  }
  await call.dial(parts.incoming ?? new ScriptedIncomingCall({ to: dialedNumber }));
  return call;
}

async function converse(call: PhoneCall): Promise<void> {
  await call.quiet(900);
  call.incoming.press('1');
  await call.speak(600);
  await call.quiet(2_000);
  // Over the agent, and while it speaks again the call is left.
  await call.speak(800);
  await call.quiet(2_000);
  call.incoming.leave();
  await call.nothing(200);
}

/** What a conversation does not need: the caller notices nothing. */
const isUnneeded = (edge: string): boolean =>
  /^(recorder|webhooks|host|storage: events|storage: a call cannot be changed|recognizer: one with)/.test(edge);

describe('10. the host goes on, and so does the next call, where', () => {
  it.each(Object.entries(edges))('%s', async (name, broken) => {
    const call = await serve(broken());
    const ended: string[] = [];
    call.va.events.on('call.ended', ({ call: { id } }) => ended.push(id));
    await converse(call);
    expect(escaped).toEqual([]);
    if (isUnneeded(name)) {
      expect(call.agentFrames()).toBeGreaterThan(20);
      expect(call.notices.filter(({ type }) => type === 'user-turn').length).toBeGreaterThan(0);
      expect(call.incoming.end).toMatchObject({ cause: 'remote-hangup' });
    }
    const first = ended.length;
    expect(new Set(ended).size).toBe(first);
    expect(call.admits).toBe(true);
    // The service is not left believing that the call still runs.
    let closed = false;
    const closing = call.va.close({ drainMs: 0 }).then(() => {
      closed = true;
    });
    await call.clock.advance(60_000);
    await closing;
    expect(closed).toBe(true);
    expect(call.clock.pending).toBe(0);
    expect(escaped).toEqual([]);
  });
});
