import type { Records, Storage } from '@va/core/adapter';

/** Thrown to a dead process. */
class Dead extends Error {}

/** The storage of one process, which can die before any operation; uncommitted changes are rolled back. */
export class Mortal {
  #verbsLeft = Number.POSITIVE_INFINITY;

  get isDead(): boolean {
    return this.#verbsLeft <= 0;
  }

  /** Dies after this number of operations; at once with 0. */
  dieAfter(verbs: number): void {
    this.#verbsLeft = Math.min(this.#verbsLeft, verbs);
  }

  storage(storage: Storage): Storage {
    return {
      ...this.#records(storage),
      capabilities: storage.capabilities,
      migrations: storage.migrations,
      start: () => storage.start(),
      close: () => storage.close(),
      ping: () => storage.ping(),
      transaction: (work) => {
        this.#live();
        return storage.transaction(async (tx) => {
          const result = await work(this.#records(tx));
          this.#live();
          return result;
        });
      },
    };
  }

  #live(): void {
    if (this.isDead) throw new Dead('The process is dead.');
    this.#verbsLeft -= 1;
  }

  #records(records: Records): Records {
    const verbs = (collection: object): object =>
      new Proxy(collection, {
        get: (target, name) => {
          const verb: unknown = Reflect.get(target, name);
          if (typeof verb !== 'function') return verb;
          return async (...args: unknown[]): Promise<unknown> => {
            this.#live();
            return await Reflect.apply(verb, target, args);
          };
        },
      });
    const collections = (all: object): object =>
      new Proxy(all, {
        get: (target, name) => {
          const collection: unknown = Reflect.get(target, name);
          if (typeof collection !== 'object' || collection === null) return collection;
          return name === 'across' ? collections(collection) : verbs(collection);
        },
        ownKeys: (target) => Reflect.ownKeys(target),
      });
    const { across, ...own } = records;
    const wrapped = Object.entries(own).map(([name, collection]) => [
      name,
      isCollection(collection) ? verbs(collection) : collection,
    ]);
    return { ...Object.fromEntries(wrapped), across: collections(across) } as Records;
  }
}

function isCollection(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'insertMany' in value;
}
