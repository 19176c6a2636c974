import type { Clock, MediaLeg } from '@va/core';
import { DistantMedia, HostedMedia, type VadBatcher } from '@va/media';

/**
 * Lets the media of a leg run as if they were in another thread, which hears everything so much later, and is heard so
 * much later: in one order, but the two threads do what they do meanwhile.
 */
export function distantLeg<Leg extends MediaLeg>(leg: Leg, clock: Clock, delayMs: number, judge: VadBatcher): Leg {
  const later = (run: () => void): void => void clock.setTimer(delayMs, run);
  return Object.assign(leg, {
    openMedia(settings, thread) {
      const distant = new DistantMedia(settings, thread, (command) => later(() => hosted.do(command)));
      const hosted = new HostedMedia({
        ...thread,
        leg,
        judgeOf: (detector) => (detector === null ? null : judge),
        hear(codes) {
          const copy = new Uint8Array(codes);
          later(() => distant.hear(copy));
        },
        tell: (happening) => later(() => distant.happened(happening)),
      });
      return distant;
    },
  } satisfies Pick<MediaLeg, 'openMedia'>);
}
