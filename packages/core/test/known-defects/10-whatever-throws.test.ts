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

/** Errors that would have ended the process. */
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

/** Replaces methods of an object, inherited ones included. */
function withMethods<T extends object>(target: T, methods: Record<PropertyKey, unknown>): T {
  return new Proxy(target, {
    get(real, name) {
      if (name in methods) return methods[name];
      const value: unknown = Reflect.get(real, name);
      return typeof value === 'function' ? value.bind(real) : value;
    },
  });
}

/** Replaces methods of the object that a method returns. */
function giving<T extends object>(target: T, method: string, methods: Record<PropertyKey, unknown>): T {
  const real: unknown = Reflect.get(target, method);
  if (typeof real !== 'function') throw new Error(`no method ${method}`);
  return withMethods(target, { [method]: (...args: unknown[]) => withMethods(real.apply(target, args), methods) });
}

/** An async iterable that rejects on the first read. */
const brokenStream = (thrown: Error): Record<PropertyKey, unknown> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(thrown) }),
});

interface Parts {
  readonly stt?: Provider;
  readonly llm?: Provider;
  readonly tts?: Provider;
  /** Fallback of the STT. */
  readonly spare?: Provider;
  readonly webhooks?: ScriptedWebhooks;
  readonly storage?: ReturnType<typeof memory>;
  readonly recordings?: RecordingStore;
  readonly vad?: { windowSamples: number; createStream(): { probability(): number } };
  readonly incoming?: ScriptedIncomingCall;
  /** Listener of the host for all events. */
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

/** A storage with one replaced method of a collection. */
function storageWith(collection: 'calls' | 'callEvents' | 'usageLogs', method: string, run: () => unknown) {
  const whole = memory();
  return withMethods(whole, { [collection]: withMethods(whole[collection], { [method]: run }) });
}

const edges: Record<string, () => Parts> = {
  'STT: open throws': () => ({ stt: withMethods(stt(), { open: boom }) }),
  'STT: send throws': () => ({ stt: giving(stt(), 'open', { send: boom }) }),
  'STT: finalize throws': () => ({ stt: giving(stt(), 'open', { finalize: boom }) }),
  'STT: speechStarted throws': () => ({ stt: giving(stt(), 'open', { speechStarted: boom }) }),
  'STT: close throws': () => ({ stt: giving(stt(), 'open', { close: boom }) }),
  'STT: the stream rejects': () => ({
    stt: withMethods(stt(), {
      open: () => ({ send() {}, finalize() {}, speechStarted() {}, close() {}, ...brokenStream(new Error('boom')) }),
    }),
  }),
  'STT with a fallback: the stream rejects and close throws': () => ({
    stt: withMethods(stt(), {
      open: () => ({ send() {}, finalize() {}, speechStarted() {}, close: boom, ...brokenStream(new Error('boom')) }),
    }),
    spare: scriptedStt({ id: 'spare', turns: ['Look it up.', 'And then?', 'Well.'] }),
  }),
  'LLM: stream throws': () => ({ llm: withMethods(llm(), { stream: boom }) }),
  'LLM: the stream rejects': () => ({ llm: withMethods(llm(), { stream: () => brokenStream(new Error('boom')) }) }),
  'LLM: the stream rejects with a ProviderError': () => ({
    llm: withMethods(llm(), { stream: () => brokenStream(new ProviderError('scripted', 'connection', 'gone')) }),
  }),
  'TTS: open throws': () => ({ tts: withMethods(tts(), { open: boom }) }),
  'TTS: speak throws': () => ({ tts: giving(tts(), 'open', { speak: boom }) }),
  'TTS: close throws': () => ({ tts: giving(tts(), 'open', { close: boom }) }),
  'TTS: push throws': () => ({ tts: speaking({ push: boom }) }),
  'TTS: end throws': () => ({ tts: speaking({ end: boom }) }),
  'TTS: cancel throws': () => ({ tts: speaking({ cancel: boom }) }),
  'TTS: the utterance rejects': () => ({ tts: speaking(brokenStream(new Error('boom'))) }),
  'webhooks: request throws': () => ({ webhooks: webhooksWith({ request: boom }) }),
  'webhooks: request rejects': () => ({ webhooks: webhooksWith({ request: rejects }) }),
  'webhooks: hasRoom throws': () => ({ webhooks: webhooksWith({ hasRoom: boom }) }),
  'webhooks: deliver throws': () => ({ webhooks: webhooksWith({ deliver: boom }) }),
  'recording: create throws': () => ({
    recordings: { create: boom, open: async () => null, delete: async () => false },
  }),
  'recording: create rejects': () => ({
    recordings: { create: rejects, open: async () => null, delete: async () => false },
  }),
  'recording: write throws': () => ({ recordings: recordingsWith({ write: boom }) }),
  'recording: close throws': () => ({ recordings: recordingsWith({ close: boom }) }),
  'recording: close rejects': () => ({ recordings: recordingsWith({ close: rejects }) }),
  'storage: calls.insert rejects': () => ({ storage: storageWith('calls', 'insert', rejects) }),
  'storage: calls.insert throws': () => ({ storage: storageWith('calls', 'insert', boom) }),
  'storage: calls.update rejects': () => ({ storage: storageWith('calls', 'update', rejects) }),
  'storage: calls.update throws': () => ({ storage: storageWith('calls', 'update', boom) }),
  'storage: callEvents.insertMany rejects': () => ({ storage: storageWith('callEvents', 'insertMany', rejects) }),
  'storage: callEvents.insertMany throws': () => ({ storage: storageWith('callEvents', 'insertMany', boom) }),
  'VAD: createStream throws': () => ({ vad: { windowSamples: 160, createStream: boom } }),
  'VAD: probability throws': () => ({
    vad: { windowSamples: 160, createStream: () => ({ probability: boom }) },
  }),
  'leg: send throws': () => ({ incoming: incomingWith({ send: boom }) }),
  'leg: ring throws': () => ({ incoming: incomingWith({ ring: boom }) }),
  'leg: answer throws': () => ({ incoming: incomingWith({ answer: boom }) }),
  'leg: answer rejects': () => ({ incoming: incomingWith({ answer: rejects }) }),
  'leg: hangup throws': () => ({ incoming: incomingWith({ hangup: boom }) }),
  'leg: reject throws': () => ({
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
  // Interrupts the agent; the caller then hangs up while the agent speaks again.
  await call.speak(800);
  await call.quiet(2_000);
  call.incoming.leave();
  await call.nothing(200);
}

/** Returns true for failures that must not affect the conversation. */
const isUnneeded = (edge: string): boolean =>
  /^(recording|webhooks|host|storage: callEvents|storage: calls\.update|STT with a fallback)/.test(edge);

describe('10. the process survives and admits the next call when', () => {
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
    // The service does not wait for the call on close.
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
