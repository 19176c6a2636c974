import { vi } from 'vitest';

/** The fakes of one page, for the test to act on. */
export interface FakePage {
  /** Messages for the audio worklets, by their name. */
  readonly posted: Readonly<Record<string, unknown[]>>;
  /** Emits a message of a worklet. */
  emit(processor: 'va-recorder' | 'va-player', data: object): void;
  readonly track: { enabled: boolean; readonly stop: () => void; onended: (() => void) | null };
  readonly getUserMedia: ReturnType<typeof vi.fn>;
  readonly close: ReturnType<typeof vi.fn>;
  /** Events of the window. */
  readonly window: EventTarget;
}

/** Stubs the audio devices of a browser without WebRTC, whose audio runs at once. */
export function stubAudio(): FakePage {
  const posted: Record<string, unknown[]> = {};
  const ports = new Map<string, { onmessage: ((event: { data: object }) => void) | null }>();
  const track = { enabled: true, stop: vi.fn(), onended: null };
  const microphone = { getAudioTracks: () => [track], getTracks: () => [track] };
  const getUserMedia = vi.fn(async (_constraints: object) => microphone);
  const close = vi.fn(async () => {});
  const node = () => ({ connect() {}, disconnect() {} });

  class AudioContext {
    readonly state = 'running';
    readonly audioWorklet = { addModule: async (_url: string) => {} };
    readonly close = close;
    async resume(): Promise<void> {}
    createAnalyser() {
      return { fftSize: 4, getFloatTimeDomainData: (samples: Float32Array) => samples.fill(0.5) };
    }
    createMediaStreamSource = node;
    createMediaStreamDestination() {
      return { stream: {} };
    }
  }
  class AudioWorkletNode {
    readonly connect = node().connect;
    readonly disconnect = node().disconnect;
    readonly port: { onmessage: null; postMessage(message: unknown): void };
    constructor(_context: object, name: string) {
      const messages: unknown[] = [];
      posted[name] = messages;
      this.port = { onmessage: null, postMessage: (message) => messages.push(message) };
      ports.set(name, this.port);
    }
  }
  class Audio {
    setAttribute(): void {}
    async play(): Promise<void> {}
    pause(): void {}
  }
  vi.stubGlobal('AudioContext', AudioContext);
  vi.stubGlobal('AudioWorkletNode', AudioWorkletNode);
  vi.stubGlobal('Audio', Audio);
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } });
  const window = new EventTarget();
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
  vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window));
  const emit = (processor: string, data: object): void => ports.get(processor)?.onmessage?.({ data });
  return { posted, emit, track, getUserMedia, close, window };
}
