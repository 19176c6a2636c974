import type { AudioFormat, Clock, SttConfig } from '@va/core';
import type { SocketLoss } from '../shared/client-socket.ts';
import { DeepgramTransportSocket } from './transport.ts';

const defaultModel = 'nova-3';
const encodings = { pcmu: 'mulaw', pcma: 'alaw', pcm16: 'linear16' } as const;

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
  sendControl(type: 'KeepAlive' | 'Finalize'): void;
  close(): void;
}

/** Opens `/v1/listen`. The SDK is loaded by the first call. */
export async function connect(target: ConnectionTarget, events: ConnectionEvents): Promise<DeepgramConnection> {
  const { DeepgramClient } = await import('@deepgram/sdk');
  const { apiKey, baseUrl, headers, config, format, keyterms, clock } = target;
  const client = new DeepgramClient({
    apiKey,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(headers !== undefined && { headers }),
    reconnect: false,
    transportFactory: (url, resolved) => new DeepgramTransportSocket(url, resolved, clock, events),
  });
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
  socket.on('message', events.onMessage);
  socket.connect();
  return {
    sendAudio: (audio) => socket.socket.send(audio),
    sendControl: (type) => socket.socket.send(JSON.stringify({ type })),
    close: () => {
      socket.socket.send(JSON.stringify({ type: 'CloseStream' }));
      socket.close();
    },
  };
}
