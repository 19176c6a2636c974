import type { MediaLeg } from '../ports/telephony.ts';
import { silentFrames } from './frame.ts';
import { encodingOf } from './leg-encoding.ts';
import { toLeg } from './transcoder.ts';

/** A key that is shorter is not heard everywhere. */
const leastToneMs = 40;

/**
 * From here on one leg says what another hears, keys included; `onFrame` is called for each frame.
 * @throws VaError `unsupported_format`
 */
export function forwardFrames(from: MediaLeg, to: MediaLeg, onFrame?: () => void): void {
  const encoding = encodingOf(to.format);
  const convert = toLeg(from.format, encoding);
  const silence = silentFrames[encoding];
  from.onFrame((frame) => {
    onFrame?.();
    to.send(frame === null ? silence : convert(frame));
  });
  from.onDtmf(({ digit, durationMs }) => to.sendDtmf?.(digit, Math.max(leastToneMs, durationMs)));
}
