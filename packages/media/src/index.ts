export { type AudioCodec, audioCodecs, type CodecName, telephoneEventPayloadTypes } from './codec/audio-codec.ts';
export type { AudioEncoding, AudioFormat } from './codec/audio-format.ts';
export { decodeFrame, frameMs, frameSamples, sampleRateHz } from './codec/frame.ts';
export { decodeG711, encodeG711, type G711Encoding, g711Silence } from './codec/g711.ts';
export { encodingOf } from './codec/leg-encoding.ts';
export { loadOpus, type OpusLibrary } from './codec/opus-codec.ts';
export { chooseFormat, fromLeg, toLeg } from './codec/transcoder.ts';
export { BeepDetector } from './dsp/beep-detector.ts';
export { createResampler, type Resample } from './dsp/resampler.ts';
export type { AudioLeg, DtmfDigit } from './plane/audio-leg.ts';
export { forwardFrames } from './plane/forward-frames.ts';
export {
  type MediaControl,
  type MediaEvent,
  MediaPlane,
  type MediaSettings,
  type MediaThread,
} from './plane/media-plane.ts';
export { Ticker } from './plane/ticker.ts';
export { ambientLoop } from './playout/ambient-loops.ts';
export type { AmbientSettings } from './playout/ambient-settings.ts';
export type { CutOff } from './playout/playout.ts';
export type { RecordingSink } from './recording/recording-sink.ts';
export { StereoRecording } from './recording/stereo-recording.ts';
export { type Agreement, type Direction, type PayloadMapping, sends } from './rtp/agreement.ts';
export { writeTelephoneEvent } from './rtp/dtmf/telephone-event.ts';
export type { MediaStatistics } from './rtp/media-statistics.ts';
export type { MediaSourceMode, MediaTrust } from './rtp/media-trust.ts';
export type { NegotiatedLeg } from './rtp/negotiated-leg.ts';
export { parseRtp, type RtpPacket, writeRtp } from './rtp/packet.ts';
export { PortPool } from './rtp/port-pool.ts';
export { RtpLeg } from './rtp/rtp-leg.ts';
export { SourceLatch } from './rtp/source-latch.ts';
export type { Clock, Timer } from './runtime/clock.ts';
export type { Endpoint } from './runtime/endpoint.ts';
export { toError, VaError } from './runtime/errors.ts';
export { isUnspecified, normalizeAddress } from './runtime/ip-address.ts';
export type { Logger } from './runtime/logger.ts';
export { numericLookup } from './runtime/numeric-lookup.ts';
export { type RandomBytes, systemRandom } from './runtime/random.ts';
export { systemClock } from './runtime/system-clock.ts';
export { TimerSlot } from './runtime/timer-slot.ts';
export type { SrtpAgreement } from './srtp/srtp-agreement.ts';
export { offeredSuites, type SrtpSuiteName, srtpSuites, toSrtpSuite } from './srtp/suites.ts';
export { loadSileroVad, type SileroModel, type VadStream, vadWindowSamples } from './vad/silero.ts';
export { SpeechDetector, type SpeechEvent } from './vad/speech-detector.ts';
export { VadBatcher } from './vad/vad-batcher.ts';
export type { VadSettings } from './vad/vad-settings.ts';
export type { VoiceActivityDetector, VoiceActivityStream } from './vad/voice-activity.ts';
export { DistantMedia } from './worker/distant-media.ts';
export { HostedMedia } from './worker/hosted-media.ts';
export { MediaWorkers } from './worker/media-workers.ts';
export type { PlaneSettings } from './worker/messages.ts';
export { WorkerLeg } from './worker/worker-leg.ts';
