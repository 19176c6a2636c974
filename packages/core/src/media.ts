/** What adapters run in threads of their own: the media of calls, without all that the service is beside them. */
export { decodeG711, encodeG711, type G711Encoding, g711Silence } from './audio/g711.ts';
export { createResampler, type Resample } from './audio/resampler.ts';
export { loadSileroVad, type SileroModel, type VadStream, vadWindowSamples } from './audio/vad/silero.ts';
export { systemClock } from './clock/system-clock.ts';
export type { AmbientSettings, VadSettings } from './domain/agents/speech-config.ts';
export { toError, VaError } from './errors.ts';
export { type RandomBytes, systemRandom } from './ids.ts';
export { DistantMedia } from './media/distant/distant-media.ts';
export { HostedMedia, type HostedMediaOptions } from './media/distant/hosted-media.ts';
export type { MediaCommand, MediaHappening, PlaneSettings, PlayoutCommand } from './media/distant/messages.ts';
export { type FrameNews, FrameReader, FrameWriter } from './media/distant/shared-frames.ts';
export { forwardFrames } from './media/forward-frames.ts';
export { decodeFrame, silentFrames } from './media/frame.ts';
export {
  type MediaControl,
  type MediaEvent,
  MediaPlane,
  type MediaPlaneOptions,
  type MediaSettings,
  type MediaThread,
} from './media/media-plane.ts';
export type { CutOff, PlayoutEvent } from './media/playout.ts';
export type { SpeechEvent } from './media/speech-detector.ts';
export { SpeechJudge } from './media/speech-judge.ts';
export { Ticker } from './media/ticker.ts';
export type { Clock, Timer } from './ports/clock.ts';
export type { Logger } from './ports/logger.ts';
export type { AudioEncoding, AudioFormat } from './ports/media/audio-format.ts';
export type { MediaStatistics } from './ports/media/media-statistics.ts';
export type { VoiceActivityDetector, VoiceActivityStream } from './ports/media/voice-activity.ts';
export type { RecordingSink } from './ports/recordings.ts';
export type { DtmfDigit, MediaLeg } from './ports/telephony.ts';
