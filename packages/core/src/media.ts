/** What adapters run in threads of their own: the media of calls, without all that the service is beside them. */
export { decodeG711, encodeG711, type G711Encoding, g711Silence } from './audio/g711.ts';
export { createResampler, type Resample } from './audio/resampler.ts';
export { loadSileroVad, type SileroModel, type VadStream, vadWindowSamples } from './audio/vad/silero.ts';
export { toError, VaError } from './errors.ts';
export { DistantPlayout, type PlayoutCommand } from './media/distant-playout.ts';
export { HeardMeter } from './media/heard-meter.ts';
export {
  type MediaControl,
  type MediaEvent,
  MediaPlane,
  type MediaPlaneOptions,
  type MediaSettings,
  type MediaThread,
} from './media/media-plane.ts';
export type { ClaimFrame, CutOff, PlayoutEvent } from './media/playout.ts';
export { SpeechDetector, type SpeechEvent } from './media/speech-detector.ts';
export { SpeechJudge } from './media/speech-judge.ts';
export { Ticker } from './media/ticker.ts';
export { toLeg } from './media/transcoder.ts';
