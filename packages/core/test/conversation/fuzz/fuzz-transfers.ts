import type { Clock, MediaLeg, TransferOutcome } from '@va/core/adapter';
import type { Scene } from './scene.ts';

interface FuzzTransfers {
  /** The leg, with the transfer that the scene gives it. */
  on(leg: MediaLeg): MediaLeg;
  /** Transfers that were asked for, and have neither an outcome nor been given up. */
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
