import { frameMs, NarrowDecoder, silentFrames } from '../codec/frame.ts';
import { Ambient } from '../playout/ambient.ts';
import { type ClaimFrame, Playout, type PlayoutEvent } from '../playout/playout.ts';
import { SupervisorVoice } from '../playout/supervisor-voice.ts';
import { VoiceLevel } from '../playout/voice-level.ts';
import { RecordingAligner } from '../recording/recording-aligner.ts';
import type { FrameRecording } from '../recording/stereo-recording.ts';
import type { Clock } from '../runtime/clock.ts';
import { toError } from '../runtime/errors.ts';
import { SpeechDetector, type SpeechEvent } from '../vad/speech-detector.ts';
import type { VadBatcher } from '../vad/vad-batcher.ts';
import type { AudioLeg } from './audio-leg.ts';
import { CallMonitor } from './call-monitor.ts';
import { LevelMeter, type Levels } from './level-meter.ts';
import type { MediaControl, MediaSettings, MediaThread } from './media-control.ts';

type FarQueue = 'discardUnplayed' | 'holdUnplayed' | 'playUnplayed';

export interface MediaPlaneOptions extends Omit<MediaSettings, 'recording'>, Omit<MediaThread, 'judge'> {
  readonly leg: Pick<AudioLeg, 'receiving' | 'sending' | 'aliveAtMs' | 'onFrame' | 'onDtmf' | 'send' | FarQueue>;
  /** Detects speech; null if another thread does: gaps in the far end's audio are then always filled with silence. */
  readonly judge: VadBatcher | null;
  readonly recording: FrameRecording | null;
  /** Set if another thread pauses and clears the playout. */
  readonly claim?: ClaimFrame | undefined;
}

/** Gap in the far end's audio (silence suppression, loss) after which detectors get silence. */
const fillAfterMs = 60;

/** Processes the audio of one call in 20 ms frames. Has no knowledge of turns. */
export class MediaPlane implements MediaControl {
  readonly #options: MediaPlaneOptions;
  // Copies of options that are read for each frame: the objects of different calls have different shapes, so that each
  // read would take a lookup.
  readonly #leg: MediaPlaneOptions['leg'];
  readonly #clock: Clock;
  readonly #narrow: NarrowDecoder;
  readonly #onAudio: MediaPlaneOptions['onAudio'];
  readonly #initialSilenceMs: number;
  readonly #generalSilenceMs: number;
  readonly #playout: Playout;
  readonly #level: VoiceLevel;
  readonly #speech: SpeechDetector | null;
  readonly #ambient: Ambient | null;
  readonly #music: Ambient | null;
  /** The one of `#ambient` and `#music` that is played. */
  #background: Ambient | null;
  readonly #silence: Uint8Array;
  #stopTicking: (() => void) | null = null;
  #lastTickAtMs = 0;
  #lastFrameAtMs = 0;
  /** Time of the last frame of the far end that the detectors got. */
  #lastHeardAtMs = 0;
  /** Last tick on hold: time on hold does not count as silence of the far end. */
  #watchedSinceMs = 0;
  #heardAnything = false;
  #lost = false;
  #failed = false;
  #held = false;
  /** True if the far end listens. Otherwise the agent pauses, and received audio is not the caller's voice. */
  #isListened = true;
  #recording: RecordingAligner | null = null;
  #monitor: CallMonitor | null = null;
  #meter: LevelMeter | null = null;
  /** Set while a person speaks in the agent's place. */
  #supervisor: SupervisorVoice | null = null;

  constructor(options: MediaPlaneOptions) {
    this.#options = options;
    this.#leg = options.leg;
    this.#clock = options.clock;
    this.#narrow = new NarrowDecoder(options.encoding);
    this.#onAudio = options.onAudio;
    this.#initialSilenceMs = options.mediaTimeout.initialMs;
    this.#generalSilenceMs = options.mediaTimeout.generalMs;
    this.#ambient = Ambient.of(options.ambient, options.encoding);
    this.#music = Ambient.of(options.hold, options.encoding);
    this.#background = this.#ambient;
    this.#silence = silentFrames[options.encoding];
    const { judge, vad, clock, onEvent } = options;
    const onPlayout = (event: PlayoutEvent): void => onEvent({ type: 'playout', event }, clock.nowMs());
    this.#playout = new Playout(options.encoding, onPlayout, options.claim);
    this.#level = new VoiceLevel(options.encoding);
    const onSpeech = (event: SpeechEvent): void => onEvent(event, clock.nowMs());
    this.#speech = judge && new SpeechDetector(judge, vad, onSpeech, (error) => this.#fail(error));
  }

  start(): void {
    const nowMs = this.#clock.nowMs();
    this.#lastFrameAtMs = nowMs;
    this.#lastHeardAtMs = nowMs;
    const { recording } = this.#options;
    this.#recording = recording && new RecordingAligner(this.#guarded(recording), this.#silence, nowMs);
    this.#leg.onFrame((frame) => this.#receive(frame));
    this.#leg.onDtmf((digit) => this.#options.onEvent({ type: 'dtmf', digit }, this.#clock.nowMs()));
    this.#stopTicking = this.#options.ticker.add((nowMs) => this.#tick(nowMs));
  }

  async stop(): Promise<void> {
    this.#stopTicking?.();
    this.#stopTicking = null;
    this.#speech?.stop();
    this.#recording?.flush();
  }

  open(utterance: number): void {
    this.#playout.open(utterance);
  }

  play(utterance: number, audio: Uint8Array): void {
    this.#playout.play(utterance, audio);
  }

  finish(utterance: number): void {
    this.#playout.finish(utterance);
  }

  pause(): void {
    this.#playout.pause();
    this.#leg.holdUnplayed?.();
  }

  resume(): void {
    this.#leg.playUnplayed?.();
    this.#playout.resume();
  }

  setHold(isOnHold: boolean): void {
    this.#background = (isOnHold ? this.#music : null) ?? this.#ambient;
  }

  setLevel(db: number): void {
    this.#level.set(db);
  }

  clear(): void {
    const cut = this.#playout.clear(this.#leg.discardUnplayed?.());
    this.#level.reset();
    this.#options.onEvent({ type: 'playout-cleared', cut }, this.#clock.nowMs());
  }

  monitor(listener: FrameRecording | null): void {
    this.#monitor = listener && new CallMonitor(listener, this.#silence);
  }

  setMetered(isMetered: boolean): void {
    const { encoding, onEvent } = this.#options;
    if (isMetered === (this.#meter !== null)) return;
    const emit = (levels: Levels): void => onEvent({ type: 'levels', ...levels }, this.#clock.nowMs());
    this.#meter = isMetered ? new LevelMeter(encoding, emit) : null;
  }

  setTakenOver(isTakenOver: boolean): void {
    this.#supervisor = isTakenOver ? new SupervisorVoice() : null;
  }

  speak(frame: Uint8Array): void {
    this.#supervisor?.push(frame.slice());
  }

  #receive(frame: Uint8Array | null): void {
    if (this.#stopTicking === null) return;
    this.#lastFrameAtMs = this.#clock.nowMs();
    if (!this.#heardAnything) {
      this.#heardAnything = true;
      this.#options.onEvent({ type: 'media-started' }, this.#lastFrameAtMs);
    }
    try {
      const nowMs = this.#lastFrameAtMs;
      const audio = frame ?? this.#silence;
      this.#recording?.receive(audio, nowMs);
      this.#monitor?.receive(audio);
      this.#meter?.receive(audio);
      if (this.#leg.sending === false) return;
      this.#lastHeardAtMs = nowMs;
      this.#pushAudio(audio, nowMs);
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  #pushAudio(frame: Uint8Array, nowMs: number): void {
    this.#onAudio(frame);
    this.#speech?.push(this.#narrow.decode(frame), nowMs);
  }

  #tick(nowMs: number): void {
    try {
      this.#noteHold(nowMs);
      if (this.#onTime(nowMs) && this.#isListening && nowMs - this.#lastHeardAtMs > fillAfterMs) {
        this.#pushAudio(this.#silence, nowMs);
      }
      const frame = this.#isListened ? this.#nextFrame() : this.#silence;
      this.#leg.send(frame);
      this.#recording?.send(frame, nowMs);
      this.#monitor?.send(frame);
      this.#meter?.send(frame);
      this.#watch(nowMs);
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  #nextFrame(): Uint8Array {
    if (this.#supervisor !== null) return this.#supervisor.take() ?? this.#silence;
    const played = this.#playout.take();
    if (played !== null) this.#level.apply(played);
    return this.#background?.mix(played) ?? played ?? this.#silence;
  }

  /**
   * True if gaps must be filled with silence, because the end of speech would go unnoticed without further frames. If
   * another thread detects speech: after the first frame.
   */
  get #isListening(): boolean {
    return this.#speech?.active ?? this.#heardAnything;
  }

  /**
   * Returns false for a tick after a stall of the event loop and for those that make up for it: the frames that seem to
   * be missing still wait in the socket.
   */
  #onTime(nowMs: number): boolean {
    const sinceLastMs = nowMs - this.#lastTickAtMs;
    this.#lastTickAtMs = nowMs;
    return sinceLastMs > frameMs / 2 && sinceLastMs < 2 * frameMs;
  }

  /** Emits `media-failed`, which ends this call only: an exception would reach other calls, which share the ticker. */
  #fail(thrown: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#options.logger.error({ err: toError(thrown) }, 'the media of a call failed');
    this.#options.onEvent({ type: 'media-failed', message: toError(thrown).message }, this.#clock.nowMs());
  }

  #noteHold(nowMs: number): void {
    this.#isListened = this.#leg.sending ?? true;
    const held = !this.#isListened || !this.#leg.receiving;
    if (held) this.#watchedSinceMs = nowMs;
    if (held === this.#held) return;
    this.#held = held;
    this.#options.onEvent({ type: held ? 'held' : 'resumed' }, nowMs);
  }

  /** A failing recording is stopped; the call continues. */
  #guarded(recording: FrameRecording): FrameRecording {
    return {
      write: (caller, agent) => {
        if (this.#recording === null) return;
        try {
          recording.write(caller, agent);
        } catch (thrown) {
          this.#options.logger.error({ err: toError(thrown) }, 'the recording of a call stopped');
          this.#recording = null;
        }
      },
    };
  }

  #watch(nowMs: number): void {
    const limitMs = this.#heardAnything ? this.#generalSilenceMs : this.#initialSilenceMs;
    if (this.#lost || nowMs - Math.max(this.#lastFrameAtMs, this.#watchedSinceMs) < limitMs) return;
    // A phone with silence suppression sends no audio during silence, but still sends RTCP reports.
    const silentMs = nowMs - Math.max(this.#lastFrameAtMs, this.#watchedSinceMs, this.#leg.aliveAtMs ?? 0);
    if (silentMs < limitMs) return;
    this.#lost = true;
    this.#options.onEvent({ type: 'media-lost', silentMs: Math.round(silentMs / frameMs) * frameMs }, nowMs);
  }
}
