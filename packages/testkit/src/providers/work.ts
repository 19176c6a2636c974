import { type Clock, type Logger, ProviderError } from '@va/core/adapter';
import { g711Silence } from '@va/media';
import type { AnyProvider } from './subject.ts';

/** End of a unit of work. `ended` is an iteration that ended before the work was done. */
export type Outcome =
  | { readonly status: 'done' | 'ended' }
  | { readonly status: 'failed'; readonly retryable: boolean; readonly error: unknown };

/** A unit of work, by the kind of provider: one turn transcribed, one reply, one utterance, or one turn answered. */
export interface Work {
  /** Number of received events. */
  readonly count: number;
  /** Never rejects. */
  readonly outcome: Promise<Outcome>;
  /** Resulting words, and the number of bytes of audio, as text. */
  readonly result: string;
  /** Received audio chunks. */
  readonly audio: readonly Uint8Array[];
  /** Cancels this work but not the session, if the port supports it. */
  readonly cancel?: () => void;
  /** Starts the same work again on the same session. */
  readonly again?: () => Work;
  close(): void;
}

/** Provider, settings and dependencies of one piece of work. */
export interface WorkOptions {
  readonly provider: AnyProvider;
  readonly config: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Key of the organization, for the provider. */
  readonly apiKey?: string | undefined;
  /** Requests 16-bit audio if the provider supports it. */
  readonly pcm16?: boolean;
  /** Sends no finalize to a recognizer, so that only the provider can end the work. */
  readonly isOpenEnded?: boolean;
  /** Called with each event, before the next is read. */
  readonly onEvent?: (work: Work) => void;
}

const soundFrames = 50;
const soundCode = 0x55;
const silentFrames = 100;
const text = 'Good morning, how are you today?';

interface Progress {
  count: number;
  readonly words: string[];
  readonly audio: Uint8Array[];
}

type OutcomeSoFar = Outcome | undefined;

/** Reads events until `judge` returns a verdict, or the iteration ends, which yields `atEnd`. */
function follow<Event>(
  events: AsyncIterable<Event>,
  progress: Progress,
  judge: (event: Event) => OutcomeSoFar,
  atEnd: Outcome['status'],
  notify: () => void,
): Promise<Outcome> {
  const read = async (): Promise<Outcome> => {
    for await (const event of events) {
      progress.count++;
      const verdict = judge(event);
      notify();
      if (verdict !== undefined) return verdict;
    }
    return atEnd === 'ended' ? { status: 'ended' } : { status: 'done' };
  };
  return read().catch((error: unknown) => ({
    status: 'failed',
    retryable: error instanceof ProviderError && error.retryable,
    error,
  }));
}

function workOf(
  progress: Progress,
  run: (notify: () => void) => Promise<Outcome>,
  rest: Pick<Work, 'close' | 'cancel' | 'again'>,
  onEvent: WorkOptions['onEvent'],
): Work {
  let outcome: Promise<Outcome> = Promise.resolve({ status: 'ended' });
  const work: Work = {
    get count() {
      return progress.count;
    },
    get outcome() {
      return outcome;
    },
    get result() {
      const bytes = progress.audio.reduce((sum, piece) => sum + piece.length, 0);
      return `${progress.words.join('').trim()} (${bytes} bytes)`;
    },
    audio: progress.audio,
    ...rest,
  };
  outcome = run(() => onEvent?.(work));
  return work;
}

/** Starts a unit of work of this kind of provider. */
export function beginWork(options: WorkOptions): Work {
  const { provider } = options;
  if (provider.kind === 'stt') return transcribe({ ...options, provider });
  if (provider.kind === 'llm') return reply({ ...options, provider });
  if (provider.kind === 'tts') return speak({ ...options, provider });
  return answer({ ...options, provider });
}

type Of<Kind extends AnyProvider['kind']> = WorkOptions & { readonly provider: Extract<AnyProvider, { kind: Kind }> };

function newProgress(): Progress {
  return { count: 0, words: [], audio: [] };
}

/** Sends a frame `count` times from one buffer, which is overwritten after each `send`, as in a call. */
function sendFrames(to: { send(audio: Uint8Array): void }, count: number, frame: Uint8Array): void {
  const bytes = new Uint8Array(frame.length);
  for (let sent = 0; sent < count; sent++) {
    bytes.set(frame);
    to.send(bytes);
    bytes.fill(0);
  }
}

function transcribe({
  provider,
  config,
  signal,
  clock,
  logger,
  apiKey,
  isOpenEnded = false,
  onEvent,
}: Of<'stt'>): Work {
  const format = provider.formats[0] ?? { encoding: 'pcmu', sampleRateHz: 8_000 };
  const stream = provider.open({
    config: { provider: provider.id, ...config },
    format,
    hints: [],
    signal,
    clock,
    logger,
    ...(apiKey !== undefined && { apiKey }),
  });
  const frameBytes = (format.sampleRateHz / 50) * (format.encoding === 'pcm16' ? 2 : 1);
  sendFrames(stream, soundFrames, new Uint8Array(frameBytes).fill(soundCode));
  const silence = format.encoding === 'pcm16' ? 0 : g711Silence[format.encoding];
  if (stream.judgesTurns === true) {
    sendFrames(stream, silentFrames, new Uint8Array(frameBytes).fill(silence));
  } else if (!isOpenEnded) stream.finalize();
  const progress = newProgress();
  const last = stream.judgesTurns === true ? 'turn-ended' : 'finalized';
  const run = (notify: () => void) =>
    follow(
      stream,
      progress,
      (event) => {
        if (event.type === 'final') progress.words.push(`${event.text} `);
        return event.type === last ? { status: 'done' } : undefined;
      },
      'ended',
      notify,
    );
  return workOf(progress, run, { close: () => stream.close() }, onEvent);
}

function reply({ provider, config, signal, clock, logger, apiKey, onEvent }: Of<'llm'>): Work {
  const controller = new AbortController();
  const events = provider.stream({
    config: { provider: provider.id, messages: [], tools: [], ...config },
    messages: [{ role: 'user', content: text }],
    tools: [],
    signal: AbortSignal.any([signal, controller.signal]),
    clock,
    logger,
    ...(apiKey !== undefined && { apiKey }),
  });
  const progress = newProgress();
  const run = async (notify: () => void): Promise<Outcome> => {
    const judge = (event: { type: string; text?: string }): OutcomeSoFar => {
      if (event.text !== undefined) progress.words.push(event.text);
      return undefined;
    };
    const outcome = await follow(events, progress, judge, 'done', notify);
    const isCut = signal.aborted || controller.signal.aborted;
    return isCut && outcome.status === 'done' ? { status: 'ended' } : outcome;
  };
  return workOf(progress, run, { close: () => controller.abort() }, onEvent);
}

function speak({ provider, config, signal, clock, logger, apiKey, pcm16, onEvent }: Of<'tts'>): Work {
  const session = provider.open({
    config: { provider: provider.id, ...config },
    format: pick(provider.formats, pcm16),
    signal,
    clock,
    logger,
    ...(apiKey !== undefined && { apiKey }),
  });
  const utter = (listener: WorkOptions['onEvent']): Work => {
    const utterance = session.speak();
    utterance.push(text);
    utterance.end();
    const progress = newProgress();
    let cancelled = false;
    const run = async (notify: () => void): Promise<Outcome> => {
      const judge = (event: { type: string; audio?: Uint8Array }): OutcomeSoFar => {
        if (event.audio !== undefined) progress.audio.push(event.audio);
        return undefined;
      };
      const outcome = await follow(utterance, progress, judge, 'done', notify);
      return (cancelled || signal.aborted) && outcome.status === 'done' ? { status: 'ended' } : outcome;
    };
    const cancel = (): void => {
      cancelled = true;
      utterance.cancel();
    };
    return workOf(progress, run, { close: () => session.close(), cancel, again: () => utter(undefined) }, listener);
  };
  return utter(onEvent);
}

function answer({ provider, config, signal, clock, logger, apiKey, pcm16, onEvent }: Of<'realtime'>): Work {
  const inputFormat = provider.inputFormats[0] ?? { encoding: 'pcmu', sampleRateHz: 8_000 };
  const session = provider.open({
    config: { provider: provider.id, messages: [], tools: [], ...config },
    instructions: 'Be brief.',
    tools: [],
    history: [],
    inputFormat,
    outputFormat: pick(provider.outputFormats, pcm16),
    signal,
    clock,
    logger,
    ...(apiKey !== undefined && { apiKey }),
  });
  const events = session[Symbol.asyncIterator]();
  const frameBytes = (inputFormat.sampleRateHz / 50) * (inputFormat.encoding === 'pcm16' ? 2 : 1);
  const take = (number: number, listener: WorkOptions['onEvent']): Work => {
    sendFrames(session, soundFrames, new Uint8Array(frameBytes).fill(soundCode));
    session.commit(number);
    session.respond(number, { withTools: false });
    const progress = newProgress();
    let cancelled = false;
    const run = (notify: () => void) =>
      follow(
        // Without `return`, so that the next unit of work continues reading where this one stops.
        { [Symbol.asyncIterator]: () => ({ next: () => events.next() }) },
        progress,
        (event) => {
          if (event.type === 'user-text' || event.type === 'usage') return undefined;
          if (event.response !== number || (cancelled && (event.type === 'audio' || event.type === 'text'))) {
            return { status: 'failed', retryable: false, error: new Error(`${event.type} of an ended response`) };
          }
          if (event.type === 'text') progress.words.push(event.text);
          if (event.type === 'audio') progress.audio.push(event.audio);
          if (event.type === 'response-done') return { status: event.status === 'completed' ? 'done' : 'ended' };
          if (event.type !== 'response-failed') return undefined;
          return { status: 'failed', retryable: event.retryable, error: new Error(event.message) };
        },
        'ended',
        notify,
      );
    const cancel = (): void => {
      cancelled = true;
      session.cancel(number);
    };
    const again = (): Work => take(number + 1, undefined);
    return workOf(progress, run, { close: () => session.close(), cancel, again }, listener);
  };
  return take(1, onEvent);
}

function pick<Format extends { readonly encoding: string }>(formats: readonly Format[], pcm16 = false): Format {
  const format = pcm16 ? formats.find(({ encoding }) => encoding === 'pcm16') : formats[0];
  if (format === undefined) throw new Error('the provider has no format for this test');
  return format;
}
