import type { WebCallEncoding } from '../../protocol/messages.ts';
import { deviceError, WebCallError } from '../errors.ts';
import { playLooped } from './loopback.ts';
import { defineProcessors, type PlayerInput, type PlayerOutput, type RecorderOutput } from './processors.ts';

export interface CallAudioOptions {
  /** False to open the loudspeaker only. */
  readonly microphone: boolean;
  readonly inputDevice: string | undefined;
  readonly outputDevice: string | undefined;
  readonly workletUrl: string | undefined;
  onFrame(frame: Uint8Array): void;
  onPlayed(sequence: number): void;
  /** The browser blocks audio until the next user gesture. The audio then continues by itself. */
  onSuspended(): void;
  onDeviceLost(): void;
}

/** Microphone and loudspeaker of a call. */
export class CallAudio {
  readonly #options: CallAudioOptions;
  readonly #context: AudioContext;
  readonly #recorder: AudioWorkletNode;
  readonly #player: AudioWorkletNode;
  readonly #element: HTMLAudioElement;
  readonly #analyser: AnalyserNode;
  /** Stops the current playback. */
  #stopPlaying: () => void = () => {};
  #source: MediaStreamAudioSourceNode | null = null;
  #microphone: MediaStream | null = null;
  #stopWaiting: () => void = () => {};
  #isMuted = false;
  #isClosed = false;
  #inputLevel = 0;
  #encoding: WebCallEncoding = 'pcmu';
  /** Called with the track of the new microphone after a switch. */
  onMicrophone: (track: MediaStreamTrack) => void = () => {};

  /** Opens the devices. Resolves once they run, which may require a user gesture. @throws WebCallError */
  static async open(options: CallAudioOptions): Promise<CallAudio> {
    if (typeof AudioWorkletNode === 'undefined' || navigator.mediaDevices === undefined) {
      throw new WebCallError('unsupported', 'Calls need https:// (or localhost) and a browser with AudioWorklets.');
    }
    const microphone = options.microphone ? await openMicrophone(options.inputDevice) : null;
    const context = new AudioContext({ latencyHint: 'interactive' });
    try {
      await addProcessors(context, options.workletUrl);
      await running(context, options.onSuspended);
      const audio = new CallAudio(options, context);
      if (microphone !== null) audio.#use(microphone);
      if (options.outputDevice !== undefined) await audio.setOutputDevice(options.outputDevice);
      return audio;
    } catch (thrown) {
      if (microphone !== null) stopTracks(microphone);
      await context.close();
      throw thrown instanceof WebCallError ? thrown : deviceError(thrown);
    }
  }

  private constructor(options: CallAudioOptions, context: AudioContext) {
    this.#options = options;
    this.#context = context;
    this.#element = new Audio();
    this.#element.autoplay = true;
    this.#element.setAttribute('playsinline', '');
    this.#analyser = context.createAnalyser();
    this.#recorder = new AudioWorkletNode(context, 'va-recorder', { numberOfOutputs: 0 });
    this.#recorder.port.onmessage = ({ data }: MessageEvent<RecorderOutput>) => {
      this.#inputLevel = data.level;
      options.onFrame(data.frame);
    };
    this.#player = new AudioWorkletNode(context, 'va-player', { numberOfInputs: 0, outputChannelCount: [1] });
    this.#player.port.onmessage = ({ data }: MessageEvent<PlayerOutput>) => options.onPlayed(data.played);
    context.onstatechange = () => {
      if (context.state === 'running' || context.state === 'closed') return;
      this.#waitForGesture(() => context.resume());
    };
  }

  get microphone(): MediaStream | null {
    return this.#microphone;
  }

  /** Current audio levels of both sides, from 0 to 1. */
  get levels(): { readonly input: number; readonly output: number } {
    const samples = new Float32Array(this.#analyser.fftSize);
    this.#analyser.getFloatTimeDomainData(samples);
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
    return { input: this.#isMuted ? 0 : this.#inputLevel, output: Math.min(1, Math.sqrt(power)) };
  }

  /** Mutes or unmutes the microphone, which yields silence while muted. */
  mute(isMuted: boolean): void {
    this.#isMuted = isMuted;
    for (const track of this.#microphone?.getAudioTracks() ?? []) track.enabled = !isMuted;
  }

  /** Plays the frames passed to `play`. */
  async playFrames(): Promise<void> {
    this.#stopPlaying();
    const destination = this.#context.createMediaStreamDestination();
    this.#player.connect(destination);
    this.#player.connect(this.#analyser);
    let close = (): void => {};
    this.#stopPlaying = () => {
      this.#player.disconnect();
      close();
    };
    close = await playLooped(destination.stream, this.#element);
    if (this.#isClosed) close();
    else this.#startElement();
  }

  /** Plays a stream of a peer connection. */
  playStream(stream: MediaStream): void {
    this.#stopPlaying();
    const source = this.#context.createMediaStreamSource(stream);
    source.connect(this.#analyser);
    this.#stopPlaying = () => source.disconnect();
    this.#element.srcObject = stream;
    this.#startElement();
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
    const microphone = await openMicrophone(id);
    // The call may have ended during the permission prompt.
    if (this.#isClosed) stopTracks(microphone);
    else this.#use(microphone);
  }

  /** @throws WebCallError */
  async setOutputDevice(id: string): Promise<void> {
    if (!('setSinkId' in this.#element)) {
      throw new WebCallError('unsupported', 'This browser does not support the selection of a loudspeaker.');
    }
    try {
      await this.#element.setSinkId(id);
    } catch (thrown) {
      throw deviceError(thrown);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopWaiting();
    this.#stopPlaying();
    this.#element.pause();
    this.#element.srcObject = null;
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
    if (track === undefined) return;
    track.enabled = !this.#isMuted;
    track.onended = () => this.#options.onDeviceLost();
    this.onMicrophone(track);
  }

  #startElement(): void {
    void this.#element.play().catch((thrown: unknown) => {
      // Other errors mean that another stream or the end of the call aborted `play()`.
      if (thrown instanceof DOMException && thrown.name === 'NotAllowedError') {
        this.#waitForGesture(() => this.#element.play());
      }
    });
  }

  #waitForGesture(resume: () => Promise<void>): void {
    this.#stopWaiting();
    this.#stopWaiting = onGesture(resume);
    this.#options.onSuspended();
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

/** Resolves when the context runs: at once, or after a user gesture. */
async function running(context: AudioContext, onSuspended: () => void): Promise<void> {
  // Without a gesture, the promise stays pending.
  const resumed = context.resume();
  await Promise.race([resumed, new Promise((resolve) => setTimeout(resolve, 250))]);
  if (context.state === 'running') return;
  onSuspended();
  const stop = onGesture(() => context.resume());
  await resumed;
  stop();
}

/** Calls `act` on each click, key press and change of visibility. Returns a function that removes the listeners. */
function onGesture(act: () => Promise<void>): () => void {
  const resume = (): void => void act().catch(() => {});
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
