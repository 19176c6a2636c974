import type { SttConfig } from '@va/core';
import type { AudioFormat, Clock } from '@va/core/adapter';
import { g711Silence } from '@va/media';
import type { SocketLoss } from '../shared/connection/client-socket.ts';
import { keytermQuery } from './keyterms.ts';
import { type DeepgramSettings, fluxQuery, novaQuery } from './options.ts';
import { DeepgramTransportSocket } from './transport.ts';

const encodings = { pcmu: 'mulaw', pcma: 'alaw', pcm16: 'linear16' } as const;
/** Length of the silence that keeps an otherwise idle connection open. */
const silenceMs = 100;

/** Parameters of all connections of a stream. */
export interface DeepgramTarget {
  /** Registry id of the provider, for errors and logs. */
  readonly id: string;
  readonly apiKey: string;
  readonly baseUrl: string | undefined;
  readonly headers: Record<string, string> | undefined;
  readonly config: SttConfig;
  /** Languages that the caller may speak; undefined for one. */
  readonly languages: readonly string[] | undefined;
  readonly model: string;
  readonly settings: DeepgramSettings;
  readonly format: AudioFormat;
  /** Query parameters from the host's options. */
  readonly hostQuery: Readonly<Record<string, string | readonly string[]>>;
  /** False if the service cannot change key terms during a call. */
  readonly updatesKeyterms: boolean;
  /** True if the service has `ForceEndTurn` enabled for the account. */
  readonly forcesEndOfTurn: boolean;
  readonly clock: Clock;
}

/** Listener of a connection. */
export interface DeepgramConnectionEvents {
  onOpen(): void;
  onMessage(message: unknown): void;
  onLost(loss: SocketLoss): void;
  onUnreadable(text: string): void;
}

/** A live transcription that is open or being opened. */
export interface ListenConnection {
  sendAudio(audio: Uint8Array): void;
  /** Keeps the connection open during pauses of the audio. */
  keepAlive(): void;
  /** Sends a control message. */
  control(message: { readonly type: string; readonly [name: string]: unknown }): void;
  close(): void;
}

/** The common part of the SDK's two live connections. */
interface SdkSocket {
  readonly socket: { send(data: string | Uint8Array): void };
  on(event: 'message', listener: (message: unknown) => void): void;
  connect(): unknown;
  close(): void;
}

/** Creates a client of the SDK, which is loaded when the first stream is opened. */
async function clientOf({ apiKey, baseUrl, headers, clock }: DeepgramTarget, events: DeepgramConnectionEvents) {
  const { DeepgramClient } = await import('@deepgram/sdk');
  return new DeepgramClient({
    apiKey,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(headers !== undefined && { headers }),
    reconnect: false,
    transportFactory: (url, resolved) => new DeepgramTransportSocket(url, resolved, clock, events),
  });
}

function start(sdk: SdkSocket, events: DeepgramConnectionEvents): Omit<ListenConnection, 'keepAlive'> {
  sdk.on('message', events.onMessage);
  sdk.connect();
  return {
    sendAudio: (audio) => sdk.socket.send(audio),
    control: (message) => sdk.socket.send(JSON.stringify(message)),
    close: () => {
      sdk.socket.send(JSON.stringify({ type: 'CloseStream' }));
      sdk.close();
    },
  };
}

/**
 * Opens `/v1/listen`. `endpointing` is off, because the pipeline ends turns: the service then has all audio of a turn
 * when it receives Finalize, and responds to it. `no_delay` keeps `smart_format` from holding back words that may
 * become a number or a date.
 */
export async function connect(
  target: DeepgramTarget,
  keyterms: readonly string[],
  events: DeepgramConnectionEvents,
): Promise<ListenConnection> {
  const { config, languages, model, format, settings, hostQuery } = target;
  const client = await clientOf(target, events);
  const socket = await client.listen.v1.connect({
    model,
    encoding: encodings[format.encoding],
    sample_rate: format.sampleRateHz,
    interim_results: 'true',
    endpointing: 'false',
    ...languageQuery(config.language, languages),
    queryParams: {
      smart_format: 'true',
      no_delay: 'true',
      ...(languages !== undefined && model.startsWith('nova-3') && { language_hint: [...languages] }),
      ...novaQuery(settings),
      ...hostQuery,
      ...keytermQuery(model, keyterms),
    },
    reconnectAttempts: 0,
  });
  const started = start(socket, events);
  return { ...started, keepAlive: () => started.control({ type: 'KeepAlive' }) };
}

/** Opens `/v2/listen`, which closes on unknown control messages, including KeepAlive and Finalize. */
export async function connectFlux(
  target: DeepgramTarget,
  keyterms: readonly string[],
  events: DeepgramConnectionEvents,
): Promise<ListenConnection> {
  const { apiKey, config, model, format, settings, hostQuery } = target;
  const client = await clientOf(target, events);
  const expected = target.languages?.slice() ?? (config.language === undefined ? undefined : [config.language]);
  const { language_hints = expected, ...others } = settings;
  // Monolingual models reject a language hint.
  const hints = model.endsWith('-multi') && language_hints !== undefined ? { language_hints } : {};
  const socket = await client.listen.v2.connect({
    Authorization: `Token ${apiKey}`,
    model,
    encoding: encodings[format.encoding],
    sample_rate: format.sampleRateHz,
    queryParams: { ...fluxQuery({ ...others, ...hints }), ...hostQuery, ...keytermQuery(model, keyterms) },
    reconnectAttempts: 0,
  });
  const started = start(socket, events);
  return { ...started, keepAlive: () => started.sendAudio(silence(format)) };
}

/**
 * Returns the language parameter. The multilingual model of `/v1/listen` reports the detected language; hints bias it.
 *
 * @see https://developers.deepgram.com/docs/nova-3-language-prompting
 */
function languageQuery(language: string | undefined, languages: readonly string[] | undefined): { language?: string } {
  if (languages !== undefined) return { language: 'multi' };
  return language === undefined ? {} : { language };
}

function silence({ encoding, sampleRateHz }: AudioFormat): Uint8Array {
  const samples = (silenceMs * sampleRateHz) / 1_000;
  return encoding === 'pcm16' ? new Uint8Array(samples * 2) : new Uint8Array(samples).fill(g711Silence[encoding]);
}
