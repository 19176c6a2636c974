import type { WebCallEncoding } from '../../protocol/messages.ts';
import { deviceError, WebCallError } from '../errors.ts';
import { playLooped } from './loopback.ts';
import { defineProcessors, type PlayerInput, type PlayerOutput, type RecorderOutput } from './processors.ts';

export interface CallAudioOptions {
  readonly inputDevice: string | undefined;
  readonly outputDevice: string | undefined;
  readonly workletUrl: string | undefined;
  onFrame(frame: Uint8Array): void;
  onPlayed(sequence: number): void;
  /** The browser plays nothing before the next gesture of the user; the audio then goes on by itself. */
  onSuspended(): void;
  onDeviceLost(): void;
}

/** Microphone and loudspeaker of a call. */
export class CallAudio {
  readonly #options: CallAudioOptions;
  readonly #context: AudioContext;
  readonly #recorder: AudioWorkletNode;
  readonly #player: AudioWorkletNode;
  readonly #loop: { element: HTMLAudioElement; close(): void };
  #source: MediaStreamAudioSourceNode | null = null;
  #microphone: MediaStream | null = null;
  #stopWaiting: () => void = () => {};
  #encoding: WebCallEncoding = 'pcmu';
  readonly levels = { input: 0, output: 0 };

  /** Opens the devices. Resolves once they run, which may need a gesture of the user. @throws WebCallError */
  static async open(options: CallAudioOptions): Promise<CallAudio> {
    if (typeof AudioWorkletNode === 'undefined' || navigator.mediaDevices === undefined) {
      throw new WebCallError('unsupported', 'Calls need https:// (or localhost) and a browser with AudioWorklets.');
    }
    const microphone = await openMicrophone(options.inputDevice);
    const context = new AudioContext({ latencyHint: 'interactive' });
    try {
      await addProcessors(context, options.workletUrl);
      const player = new AudioWorkletNode(context, 'va-player', { numberOfInputs: 0, outputChannelCount: [1] });
      const destination = context.createMediaStreamDestination();
      player.connect(destination);
      await running(context, options.onSuspended);
      const loop = await playLooped(destination.stream);
      const audio = new CallAudio(options, { context, player, loop });
      audio.#use(microphone);
      if (options.outputDevice !== undefined) await audio.setOutputDevice(options.outputDevice);
      return audio;
    } catch (thrown) {
      stopTracks(microphone);
      await context.close();
      throw thrown instanceof WebCallError ? thrown : deviceError(thrown);
    }
  }

  private constructor(
    options: CallAudioOptions,
    parts: { context: AudioContext; player: AudioWorkletNode; loop: CallAudio['loop'] },
  ) {
    this.#options = options;
    this.#context = parts.context;
    this.#player = parts.player;
    this.#loop = parts.loop;
    this.#recorder = new AudioWorkletNode(parts.context, 'va-recorder', { numberOfOutputs: 0 });
    this.#recorder.port.onmessage = ({ data }: MessageEvent<RecorderOutput>) => {
      this.levels.input = data.level;
      options.onFrame(data.frame);
    };
    this.#player.port.onmessage = ({ data }: MessageEvent<PlayerOutput>) => {
      this.levels.output = data.level;
      options.onPlayed(data.played);
    };
    parts.context.onstatechange = () => {
      if (parts.context.state === 'running' || parts.context.state === 'closed') return;
      this.#stopWaiting();
      this.#stopWaiting = resumeOnGesture(parts.context);
      options.onSuspended();
    };
  }

  get loop(): { element: HTMLAudioElement; close(): void } {
    return this.#loop;
  }

  /** Sets the encoding of both directions; `pcmu` before. */
  setEncoding(encoding: WebCallEncoding): void {
    if (encoding === this.#encoding) return;
    this.#encoding = encoding;
    for (const each of [this.#recorder, this.#player]) each.port.postMessage({ encoding });
  }

  play(input: PlayerInput): void {
    this.#player.port.postMessage(input);
  }

  /** @throws WebCallError */
  async setInputDevice(id: string): Promise<void> {
    this.#use(await openMicrophone(id));
  }

  /** @throws WebCallError */
  async setOutputDevice(id: string): Promise<void> {
    if (!('setSinkId' in this.#loop.element)) {
      throw new WebCallError('unsupported', 'This browser cannot choose the loudspeaker.');
    }
    try {
      await this.#loop.element.setSinkId(id);
    } catch (thrown) {
      throw deviceError(thrown);
    }
  }

  async close(): Promise<void> {
    this.#stopWaiting();
    this.#loop.close();
    if (this.#microphone !== null) stopTracks(this.#microphone);
    this.#context.onstatechange = null;
    if (this.#context.state !== 'closed') await this.#context.close();
  }

  #use(microphone: MediaStream): void {
    this.#source?.disconnect();
    if (this.#microphone !== null) stopTracks(this.#microphone);
    this.#microphone = microphone;
    this.#source = this.#context.createMediaStreamSource(microphone);
    this.#source.connect(this.#recorder);
    const [track] = microphone.getAudioTracks();
    if (track !== undefined) track.onended = () => this.#options.onDeviceLost();
  }
}

async function openMicrophone(id: string | undefined): Promise<MediaStream> {
  const device = id === undefined ? {} : { deviceId: { exact: id } };
  const audio = { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1, ...device };
  try {
    return await navigator.mediaDevices.getUserMedia({ audio });
  } catch (thrown) {
    throw deviceError(thrown);
  }
}

async function addProcessors(context: AudioContext, workletUrl: string | undefined): Promise<void> {
  if (workletUrl !== undefined) {
    await context.audioWorklet.addModule(workletUrl);
    return;
  }
  const url = URL.createObjectURL(new Blob([workletSource()], { type: 'text/javascript' }));
  try {
    await context.audioWorklet.addModule(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Returns the module of the audio worklets, for pages whose content security policy allows no `blob:` scripts. */
export function workletSource(): string {
  return `(${defineProcessors.toString()})({ AudioWorkletProcessor, registerProcessor, sampleRate });`;
}

/** Resolves when the context runs: at once, or after a gesture of the user. */
async function running(context: AudioContext, onSuspended: () => void): Promise<void> {
  // Without a gesture, the promise stays pending.
  const resumed = context.resume();
  await Promise.race([resumed, new Promise((resolve) => setTimeout(resolve, 250))]);
  if (context.state === 'running') return;
  onSuspended();
  const stop = resumeOnGesture(context);
  await resumed;
  stop();
}

function resumeOnGesture(context: AudioContext): () => void {
  const resume = (): void => void context.resume().catch(() => {});
  const events = ['pointerdown', 'keydown', 'visibilitychange'] as const;
  for (const each of events) document.addEventListener(each, resume);
  return () => {
    for (const each of events) document.removeEventListener(each, resume);
  };
}

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) {
    track.onended = null;
    track.stop();
  }
}
