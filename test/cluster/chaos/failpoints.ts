import { type CollectionName, collectionNames, type JobQueue, type Records, type Storage } from '@va/core/adapter';

/** A moment at which a process may die: before or right after a commit. */
export interface Failpoint {
  /** The writes of the commit in order, such as `calls.update jobs.send`. */
  readonly boundary: string;
  readonly when: 'before' | 'after';
}

const writes = new Set(['insert', 'insertMany', 'update', 'updateMany', 'increment', 'delete', 'claim', 'purge']);

/**
 * Wraps a storage to report each commit and die at one of them. Reads do not count; the statements of a transaction are
 * one commit, any other write is its own commit.
 */
export function withFailpoints(
  storage: Storage,
  options: { readonly seen: (boundary: string) => void; readonly diesAt: () => Failpoint | null },
): Storage {
  const originals = new WeakMap<Records, Records>();

  async function commit<T>(boundaryOf: (result: T) => string, run: (before: (boundary: string) => void) => Promise<T>) {
    const reach = (boundary: string, when: Failpoint['when']): void => {
      const point = options.diesAt();
      if (point?.boundary === boundary && point.when === when) process.kill(process.pid, 'SIGKILL');
    };
    const result = await run((boundary) => reach(boundary, 'before'));
    const boundary = boundaryOf(result);
    options.seen(boundary);
    reach(boundary, 'after');
    return result;
  }

  /** Wraps the records to report each write. */
  function watched(records: Records, write: <T>(name: string, run: () => Promise<T>) => Promise<T>): Records {
    const wrap = (label: string, verbs: object): object =>
      new Proxy(verbs, {
        get(target, key) {
          const verb: unknown = Reflect.get(target, key);
          if (typeof verb !== 'function' || typeof key !== 'string' || !writes.has(key)) return verb;
          return (...args: unknown[]) => write(`${label}.${key}`, () => Reflect.apply(verb, target, args));
        },
      });
    const all = (of: object): Record<string, unknown> =>
      Object.fromEntries(collectionNames.map((name: CollectionName) => [name, wrap(name, Reflect.get(of, name))]));
    return { ...all(records), across: all(records.across) } as unknown as Records;
  }

  const alone = <T>(name: string, run: () => Promise<T>): Promise<T> =>
    commit<T>(
      () => name,
      async (before) => {
        before(name);
        return await run();
      },
    );

  function watchedJobs(jobs: JobQueue, written: WeakMap<Records, string[]>): JobQueue {
    const inPlace = <T>(name: string, tx: Records | undefined, run: (tx: Records | undefined) => Promise<T>) => {
      if (tx === undefined) return alone(name, () => run(undefined));
      written.get(tx)?.push(name);
      return run(originals.get(tx) ?? tx);
    };
    return {
      take: (queue, limit) => jobs.take(queue, limit),
      stored: (queue, ids) => jobs.stored(queue, ids),
      ...(jobs.waiting && { waiting: (queue: string) => jobs.waiting?.(queue) ?? Promise.resolve(0) }),
      forget: (queue, match, tx) => inPlace(`jobs.forget(${queue})`, tx, (own) => jobs.forget(queue, match, own)),
      send: (sent, tx) => inPlace('jobs.send', tx, (own) => jobs.send(sent, own)),
      settle: (queue, settled, tx) => inPlace(`jobs.settle(${queue})`, tx, (own) => jobs.settle(queue, settled, own)),
    };
  }

  const written = new WeakMap<Records, string[]>();
  return {
    ...storage,
    ...watched(storage, alone),
    ...(storage.jobs && { jobs: watchedJobs(storage.jobs, written) }),
    ...(storage.cluster && { cluster: storage.cluster }),
    transaction: async (work) => {
      let boundary = '';
      return await commit(
        () => boundary,
        (before) =>
          storage.transaction(async (tx) => {
            const names: string[] = [];
            const own = watched(tx, (name, run) => {
              names.push(name);
              return run();
            });
            originals.set(own, tx);
            written.set(own, names);
            const result = await work(own);
            boundary = [...new Set(names)].join(' ');
            before(boundary);
            return result;
          }),
      );
    },
  };
}
