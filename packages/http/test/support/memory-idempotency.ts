import type { IdempotencyStore, StoredAnswer } from '@va/core/adapter';

interface Entry {
  readonly fingerprint: string;
  answer: StoredAnswer | null;
}

export interface MemoryIdempotency extends Pick<IdempotencyStore, 'begin'> {
  readonly entries: ReadonlyMap<string, Entry>;
}

/** Stores responses in a map. */
export function memoryIdempotency(): MemoryIdempotency {
  const entries = new Map<string, Entry>();
  return {
    entries,
    async begin(orgId, scope, key, fingerprint) {
      const id = JSON.stringify([orgId, scope, key]);
      const entry = entries.get(id);
      if (entry !== undefined) {
        if (entry.fingerprint !== fingerprint) return { state: 'other_body' };
        return entry.answer === null ? { state: 'running' } : { state: 'replay', answer: entry.answer };
      }
      const made: Entry = { fingerprint, answer: null };
      entries.set(id, made);
      return {
        state: 'new',
        async finish(answer) {
          made.answer = answer;
        },
        async abandon() {
          entries.delete(id);
        },
      };
    },
  };
}
