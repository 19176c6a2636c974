import { silentFrames } from '../codec/frame.ts';
import { encodingOf } from '../codec/leg-encoding.ts';
import { toLeg } from '../codec/transcoder.ts';
import type { AudioLeg } from './audio-leg.ts';

/** Minimum duration of a forwarded digit: some receivers do not recognize shorter ones. */
const leastToneMs = 40;

/**
 * Forwards the audio and DTMF of one leg to another; `onFrame` is called for each frame.
 * @throws VaError `unsupported_format`
 */
export function forwardFrames(from: AudioLeg, to: AudioLeg, onFrame?: () => void): void {
  const encoding = encodingOf(to.format);
  const convert = toLeg(from.format, encoding);
  const silence = silentFrames[encoding];
  from.onFrame((frame) => {
    onFrame?.();
    to.send(frame === null ? silence : convert(frame));
  });
  from.onDtmf(({ digit, durationMs }) => to.sendDtmf?.(digit, Math.max(leastToneMs, durationMs)));
}
