import { type AudioFormat, type Clock, g711Silence, type SttConfig } from '@va/core';
import type { SocketLoss } from '../shared/client-socket.ts';
import { DeepgramTransportSocket } from './transport.ts';

const defaultModel = 'nova-3';
const encodings = { pcmu: 'mulaw', pcma: 'alaw', pcm16: 'linear16' } as const;
/** What keeps a connection open that has no message for it. */
const silenceMs = 100;

export interface ConnectionTarget {
  readonly apiKey: string;
  readonly baseUrl: string | undefined;
  readonly headers: Record<string, string> | undefined;
  readonly config: SttConfig;
  readonly format: AudioFormat;
  readonly keyterms: readonly string[];
  readonly clock: Clock;
}

export interface ConnectionEvents {
  onOpen(): void;
  onMessage(message: unknown): void;
  onLost(loss: SocketLoss): void;
  onGarbage(text: string): void;
}

/** A live transcription that has been opened, or is being opened. */
export interface DeepgramConnection {
  sendAudio(audio: Uint8Array): void;
  /** For pauses of the audio, in which the service would hang up. */
  keepAlive(): void;
  /** Asks for the words of what was sent, where the service can be asked. */
  finalize(): void;
  close(): void;
}

/** What the SDK's two live connections have in common. */
interface SdkSocket {
  readonly socket: { send(data: string | Uint8Array): void };
  on(event: 'message', listener: (message: unknown) => void): void;
  connect(): unknown;
  close(): void;
}

/** The SDK is loaded by the first call. */
async function clientOf({ apiKey, baseUrl, headers, clock }: ConnectionTarget, events: ConnectionEvents) {
  const { DeepgramClient } = await import('@deepgram/sdk');
  return new DeepgramClient({
    apiKey,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(headers !== undefined && { headers }),
    reconnect: false,
    transportFactory: (url, resolved) => new DeepgramTransportSocket(url, resolved, clock, events),
  });
}

function start(sdk: SdkSocket, events: ConnectionEvents): Pick<DeepgramConnection, 'sendAudio' | 'close'> {
  sdk.on('message', events.onMessage);
  sdk.connect();
  return {
    sendAudio: (audio) => sdk.socket.send(audio),
    close: () => {
      sdk.socket.send(JSON.stringify({ type: 'CloseStream' }));
      sdk.close();
    },
  };
}

/** Opens `/v1/listen`. */
export async function connect(target: ConnectionTarget, events: ConnectionEvents): Promise<DeepgramConnection> {
  const { config, format, keyterms } = target;
  const client = await clientOf(target, events);
  const socket = await client.listen.v1.connect({
    model: config.model ?? defaultModel,
    encoding: encodings[format.encoding],
    sample_rate: format.sampleRateHz,
    interim_results: 'true',
    smart_format: 'true',
    ...(config.language !== undefined && { language: config.language }),
    ...(keyterms.length > 0 && { keyterm: [...keyterms] }),
    reconnectAttempts: 0,
  });
  const send = (type: string): void => socket.socket.send(JSON.stringify({ type }));
  return { ...start(socket, events), keepAlive: () => send('KeepAlive'), finalize: () => send('Finalize') };
}

/** Opens `/v2/listen`, which closes at control messages that it does not know: it knows no KeepAlive and no Finalize. */
export async function connectFlux(target: ConnectionTarget, events: ConnectionEvents): Promise<DeepgramConnection> {
  const { apiKey, config, format, keyterms } = target;
  const client = await clientOf(target, events);
  const { model = '', language, eot_threshold, eager_eot_threshold, eot_timeout_ms } = config;
  const socket = await client.listen.v2.connect({
    Authorization: `Token ${apiKey}`,
    model,
    encoding: encodings[format.encoding],
    sample_rate: format.sampleRateHz,
    ...(typeof eot_threshold === 'number' && { eot_threshold }),
    ...(typeof eager_eot_threshold === 'number' && { eager_eot_threshold }),
    ...(typeof eot_timeout_ms === 'number' && { eot_timeout_ms }),
    // The models of one language refuse a hint.
    ...(language !== undefined && model.endsWith('-multi') && { language_hint: [language] }),
    ...(keyterms.length > 0 && { keyterm: [...keyterms] }),
    reconnectAttempts: 0,
  });
  const started = start(socket, events);
  return { ...started, keepAlive: () => started.sendAudio(silence(format)), finalize: () => undefined };
}

function silence({ encoding, sampleRateHz }: AudioFormat): Uint8Array {
  const samples = (silenceMs * sampleRateHz) / 1_000;
  return encoding === 'pcm16' ? new Uint8Array(samples * 2) : new Uint8Array(samples).fill(g711Silence[encoding]);
}
