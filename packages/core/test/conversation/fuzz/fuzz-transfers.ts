import type { Clock, MediaLeg, TransferOutcome } from '@va/core/adapter';
import type { Scene } from './scene.ts';

interface FuzzTransfers {
  /** Returns the leg with the transfer behaviour of the scene. */
  on(leg: MediaLeg): MediaLeg;
  /** Number of transfers without an outcome that were not aborted. */
  readonly running: number;
}

export function fuzzTransfers(script: Scene['transfer'], clock: Clock): FuzzTransfers {
  const running = new Set<symbol>();
  return {
    get running() {
      return running.size;
    },
    on(leg) {
      if (script === null) return leg;
      const { type, delayMs } = script;
      return Object.assign(leg, {
        transfer({ signal }: { readonly signal: AbortSignal }): Promise<TransferOutcome> {
          const id = Symbol('transfer');
          running.add(id);
          signal.addEventListener('abort', () => running.delete(id), { once: true });
          return new Promise((resolve, reject) => {
            if (type === 'silent') return;
            clock.setTimer(delayMs, () => {
              running.delete(id);
              if (type === 'throws') reject(new Error('broken'));
              else resolve(type === 'accepted' ? { type } : { type, reason: 'busy' });
            });
          });
        },
      });
    },
  };
}
