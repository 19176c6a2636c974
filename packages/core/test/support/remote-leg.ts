import type { Clock, MediaLeg } from '@va/core/adapter';
import { MediaPlaneServer, RemoteMediaPlane, type VadBatcher } from '@va/media';

/**
 * Runs the media plane of a leg as if it were in another thread: commands and events take `delayMs` each way, in order,
 * while both sides go on.
 */
export function remoteLeg<Leg extends MediaLeg>(leg: Leg, clock: Clock, delayMs: number, judge: VadBatcher): Leg {
  const later = (run: () => void): void => void clock.setTimer(delayMs, run);
  return Object.assign(leg, {
    openMedia(settings, thread) {
      const plane = new RemoteMediaPlane(1, settings, thread, (command) => later(() => server.handle(command)));
      const server = new MediaPlaneServer({
        ...thread,
        leg,
        legId: 1,
        batcherOf: (detector) => (detector === null ? null : judge),
        emitFrame(payload) {
          const copy = new Uint8Array(payload);
          later(() => plane.onFrame(copy));
        },
        emit: (event) => later(() => plane.onEvent(event)),
      });
      return plane;
    },
  } satisfies Pick<MediaLeg, 'openMedia'>);
}
