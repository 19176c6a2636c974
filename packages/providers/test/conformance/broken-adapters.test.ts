import {
  type LanguageModel,
  ProviderError,
  type RealtimeEvent,
  type RealtimeModel,
  type RealtimeSession,
  type TextToSpeech,
  type TtsEvent,
  type TtsUtterance,
} from '@va/core/adapter';
import { type ProviderConformanceOptions, type ProviderSubject, providerTests } from '@va/testkit/providers';
import { describe, expect, it } from 'vitest';
import { elevenLabsSubject, openAiSubject, xaiSubject } from './subjects.ts';

/** Returns the names of the given tests that the subject fails. */
async function failuresOf(options: ProviderConformanceOptions, names: readonly string[]): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of providerTests(options)) {
    if (names.includes(name)) await run().catch(() => failed.push(name));
  }
  return failed;
}

function altered<Provider extends RealtimeModel | TextToSpeech>(
  options: ProviderConformanceOptions,
  alter: (provider: Provider) => Provider,
): ProviderConformanceOptions {
  return {
    ...options,
    async open(): Promise<ProviderSubject> {
      const subject = await options.open();
      return { ...subject, provider: (host) => alter(subject.provider(host) as Provider) };
    },
  };
}

/** A session with one member replaced. */
function replaced<Session extends object>(session: Session, members: Partial<Session>): Session {
  return new Proxy(session, {
    get(target, name) {
      const own: unknown = Reflect.get(members, name);
      const value: unknown = own ?? Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const realtime = (alter: (session: RealtimeSession, model: RealtimeModel) => RealtimeSession) =>
  altered<RealtimeModel>(xaiSubject, (model) => ({
    ...model,
    open: (options) => alter(model.open(options), model),
  }));

async function* shifted(events: AsyncIterable<RealtimeEvent>): AsyncGenerator<RealtimeEvent, void, undefined> {
  for await (const event of events) {
    yield event.type === 'audio' ? { ...event, audio: event.audio.subarray(1) } : event;
  }
}

async function* swallowing<Event>(events: AsyncIterable<Event>): AsyncGenerator<Event, void, undefined> {
  try {
    for await (const event of events) yield event;
  } catch {
    // The fault under test: the pipeline takes a failure for an end.
  }
}

const mutedSpeech = (utterance: TtsUtterance): TtsUtterance =>
  replaced(utterance, { [Symbol.asyncIterator]: () => swallowing<TtsEvent>(utterance) });

/** A model whose errors are the bodies of the responses, as they are. */
function quotingModel(host: string): LanguageModel {
  return {
    kind: 'llm',
    id: 'quoting',
    vendor: 'quoting',
    // biome-ignore lint/correctness/useYield: this model only fails
    async *stream() {
      const response = await fetch(`http://${host}/v1/chat/completions`, { method: 'POST' });
      throw new ProviderError('quoting', 'auth', await response.text(), { status: response.status });
    },
  };
}

const broken: { what: string; options: ProviderConformanceOptions; foundBy: string }[] = [
  {
    what: 'never closes',
    options: realtime((session) => replaced(session, { close: () => undefined })),
    foundBy: 'leaves neither a timer nor a connection after close',
  },
  {
    what: 'does not hear an abort',
    options: altered<RealtimeModel>(xaiSubject, (model) => ({
      ...model,
      open: (options) => model.open({ ...options, signal: new AbortController().signal }),
    })),
    foundBy: 'ends on an abort in the middle, and emits nothing after it',
  },
  {
    what: 'loses a byte of the audio',
    options: realtime((session) => replaced(session, { [Symbol.asyncIterator]: () => shifted(session) })),
    foundBy: 'keeps 16-bit samples whole',
  },
  {
    what: 'speaks on after a cancel',
    options: realtime((session) => replaced(session, { cancel: () => undefined })),
    foundBy: 'cancels one unit of work, and completes the next on the same session',
  },
  {
    what: 'takes silence for speech',
    options: altered<TextToSpeech>(elevenLabsSubject, (tts) => ({
      ...tts,
      open(options) {
        const session = tts.open(options);
        return { speak: () => mutedSpeech(session.speak()), close: () => session.close() };
      },
    })),
    foundBy: 'treats an empty success as a failure',
  },
  {
    what: "quotes the provider's response in its errors",
    options: {
      ...openAiSubject,
      async open() {
        return { ...(await openAiSubject.open()), provider: quotingModel };
      },
    },
    foundBy: 'keeps the API key out of errors and logs when the provider repeats it in a permanent rejection',
  },
  {
    what: 'logs the key',
    options: altered<RealtimeModel>(xaiSubject, (model) => ({
      ...model,
      open(options) {
        options.logger.debug({ headers: { authorization: `Bearer ${options.apiKey}` } }, 'connecting');
        return model.open(options);
      },
    })),
    foundBy: 'keeps the API key out of errors and logs when the provider repeats it in an unreadable message',
  },
];

describe('provider conformance', () => {
  it.each(broken)('finds an adapter that $what', async ({ options, foundBy }) => {
    expect(await failuresOf(options, [foundBy])).toEqual([foundBy]);
  });

  it('has a unique name for each test of a kind', () => {
    for (const options of [xaiSubject, elevenLabsSubject]) {
      const names = providerTests(options).map(({ name }) => name);
      expect(names).toEqual([...new Set(names)]);
    }
  });

  it('passes a correct adapter', async () => {
    const names = broken.map(({ foundBy }) => foundBy);
    expect(await failuresOf(xaiSubject, names)).toEqual([]);
    expect(await failuresOf(elevenLabsSubject, names)).toEqual([]);
    expect(await failuresOf(openAiSubject, names)).toEqual([]);
  });
});
