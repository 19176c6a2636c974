import assert from 'node:assert/strict';
import { silentLogger } from '../silent-logger.ts';
import { CountingClock } from './counting-clock.ts';
import { type EchoMode, EchoServer } from './echo-server.ts';
import { FaultProxy } from './fault-proxy.ts';
import { recordingLogger, textOf } from './recording-logger.ts';
import type { ProviderSubject, ProviderTestOptions, Trouble } from './subject.ts';
import { beginWork, type Outcome, type Work, type WorkOptions } from './work.ts';

/** Test of a provider adapter, independent of the test runner. */
export interface ProviderTest {
  /** Behaviour of the adapter, in a sentence. */
  readonly name: string;
  /** Rejects if the adapter behaves otherwise. */
  run(): Promise<void>;
}

/** Time limit of each wait for an outcome or a condition. */
const timeLimitMs = 15_000;
/** Time for which a test watches for further events after an abort. */
const afterMs = 100;

/** Options of a unit of work. `host` replaces the address of the fault proxy. */
type BeginOptions = Partial<Omit<WorkOptions, 'provider' | 'config'>> & { readonly host?: string };

/** Context of a test: the adapter, connected to its stand-in through a fault proxy (`line`). */
interface Scene {
  readonly subject: ProviderSubject;
  readonly line: FaultProxy;
  readonly clock: CountingClock;
  readonly abort: () => void;
  begin(options?: BeginOptions): Work;
}

interface Case {
  readonly name: string;
  readonly needs?: Trouble;
  /** Kinds that the test applies to. Default: all. */
  readonly kinds?: readonly ProviderTestOptions['kind'][];
  readonly run: (scene: Scene) => Promise<void>;
}

/**
 * Returns the tests that an adapter of this kind has to pass, each with its own stand-in. Their names are stable.
 * @example for (const { name, run } of providerTests({ kind: 'tts', troubles: ['garbage'], open })) it(name, run);
 */
export function providerTests(options: ProviderTestOptions): readonly ProviderTest[] {
  return cases
    .filter(
      ({ needs, kinds }) =>
        (needs === undefined || options.troubles.includes(needs)) && (kinds?.includes(options.kind) ?? true),
    )
    .map(({ name, run }) => ({ name, run: () => onScene(options, run) }));
}

async function onScene({ open, isPerUtterance = false }: ProviderTestOptions, run: Case['run']): Promise<void> {
  const subject = await open();
  const line = await FaultProxy.open(subject.host);
  const clock = new CountingClock();
  const controller = new AbortController();
  const works: Work[] = [];
  const begin: Scene['begin'] = ({ host = line.host, ...options } = {}) => {
    const { config = {} } = subject;
    const provider = subject.provider(host);
    const work = beginWork({
      ...{ provider, config, signal: controller.signal, clock, logger: silentLogger },
      ...options,
      isOpenEnded: options.isOpenEnded === true && !isPerUtterance,
    });
    works.push(work);
    return work;
  };
  try {
    await run({ subject, line, clock, abort: () => controller.abort(), begin });
  } finally {
    for (const work of works) work.close();
    await line.close();
    await subject.close();
  }
}

async function within<T>(promise: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new assert.AssertionError({ message: `${what} within ${timeLimitMs} ms` })),
      timeLimitMs,
    );
  });
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function until(condition: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + timeLimitMs;
  while (!condition()) {
    assert.ok(performance.now() < deadline, `${what} within ${timeLimitMs} ms`);
    await pause(5);
  }
}

function outcomeOf(work: Work): Promise<Outcome> {
  return within(work.outcome, 'the work ends');
}

async function resultOf(work: Work): Promise<string> {
  const outcome = await outcomeOf(work);
  assert.equal(outcome.status, 'done', `the work is done, got ${JSON.stringify(outcome)}`);
  assert.notEqual(work.result, ' (0 bytes)', 'the work has a result');
  return work.result;
}

/** Asserts that the work completes with the expected result despite the cut, or fails with a retryable error. */
async function assertRecovers(work: Work, expected: string): Promise<void> {
  const outcome = await outcomeOf(work);
  if (outcome.status === 'failed') {
    assert.ok(outcome.retryable, `the failure allows a retry, got ${String(outcome.error)}`);
    return;
  }
  assert.equal(outcome.status, 'done');
  assert.equal(work.result, expected);
}

async function assertNothingLeft({ line, clock }: Scene): Promise<void> {
  await until(() => clock.pending === 0, 'no timer is left');
  await until(() => line.connections === 0, 'no connection is left');
}

/** Returns a test that cuts the connection after a share of the bytes that an uncut run receives. */
function cutAt(name: string, share: number): Case {
  return {
    name: `completes, or fails with a retryable error, when the connection is cut ${name}`,
    async run(scene) {
      const first = scene.begin();
      const expected = await resultOf(first);
      first.close();
      scene.line.cutAfter(Math.max(1, Math.floor(scene.line.bytes * share)));
      const work = scene.begin();
      await assertRecovers(work, expected);
      work.close();
      await until(() => scene.clock.pending === 0, 'no timer is left');
    },
  };
}

const sessions = ['stt', 'tts', 'realtime'] as const;

const organizationKey = 'organization-key-0123456789';

/** Returns a test with a provider that repeats the API key of the organization. */
function keepsKeySecret(name: string, mode: EchoMode, kinds: Case['kinds'] = sessions): Case {
  return {
    name: `keeps the API key out of errors and logs when the provider repeats it in ${name}`,
    kinds,
    async run({ begin }) {
      const server = await EchoServer.start(organizationKey, mode);
      const entries: string[] = [];
      try {
        const { host } = server;
        const clock = new CountingClock(5);
        const logger = recordingLogger(entries);
        const work = begin({ host, clock, logger, apiKey: organizationKey, isOpenEnded: true });
        const outcome = await outcomeOf(work);
        work.close();
        assert.equal(outcome.status, 'failed');
        const shown = [...entries, textOf(outcome)].filter((text) => text.includes(organizationKey));
        assert.deepEqual(shown, [], 'neither an error nor a log entry contains the key');
      } finally {
        await server.close();
      }
    },
  };
}

const cases: readonly Case[] = [
  {
    name: 'completes its work with the same result each time',
    async run({ begin }) {
      const first = begin();
      const result = await resultOf(first);
      first.close();
      assert.equal(await resultOf(begin()), result);
    },
  },
  {
    name: 'leaves neither a timer nor a connection after close',
    kinds: sessions,
    async run(scene) {
      const work = scene.begin();
      await resultOf(work);
      work.close();
      await assertNothingLeft(scene);
    },
  },
  {
    name: 'leaves no timer after a complete reply',
    kinds: ['llm'],
    async run({ begin, clock }) {
      await resultOf(begin());
      await until(() => clock.pending === 0, 'no timer is left');
    },
  },
  {
    name: 'ends on an abort in the middle, and emits nothing after it',
    async run({ begin, abort, clock }) {
      let notified = 0;
      const work = begin({
        onEvent: ({ count }) => {
          notified = count;
          abort();
        },
      });
      const outcome = await outcomeOf(work);
      assert.equal(outcome.status, 'ended', `the iteration ends, got ${JSON.stringify(outcome)}`);
      await pause(afterMs);
      assert.equal(notified, 1, 'nothing is emitted after the abort');
      await until(() => clock.pending === 0, 'no timer is left');
    },
  },
  {
    name: 'ends at once when the call has ended',
    async run(scene) {
      const work = scene.begin({ signal: AbortSignal.abort() });
      const outcome = await outcomeOf(work);
      assert.equal(outcome.status, 'ended', `the iteration ends, got ${JSON.stringify(outcome)}`);
      assert.equal(work.count, 0);
      await assertNothingLeft(scene);
    },
  },
  {
    name: 'ends when it is closed before it is connected',
    kinds: sessions,
    async run(scene) {
      const work = scene.begin();
      work.close();
      const outcome = await outcomeOf(work);
      assert.equal(outcome.status === 'failed', false, `the iteration ends, got ${JSON.stringify(outcome)}`);
      await assertNothingLeft(scene);
    },
  },
  {
    name: 'waits for a slow provider',
    async run({ begin, line }) {
      const first = begin();
      const result = await resultOf(first);
      first.close();
      line.delay(60);
      assert.equal(await resultOf(begin()), result);
    },
  },
  {
    name: 'times out when the provider sends nothing',
    kinds: ['llm', 'tts', 'realtime'],
    async run({ begin, line, clock }) {
      line.fallSilent();
      const fast = new CountingClock(20);
      const work = begin({ clock: fast });
      const outcome = await outcomeOf(work);
      assert.equal(outcome.status, 'failed');
      assert.ok(outcome.status === 'failed' && outcome.retryable, 'the error allows a retry');
      work.close();
      await until(() => fast.pending + clock.pending === 0, 'no timer is left');
    },
  },
  cutAt('at the first byte', 0),
  cutAt('early', 0.3),
  cutAt('in the middle', 0.6),
  cutAt('near the end', 0.9),
  {
    name: 'fails with a retryable error after a few attempts',
    needs: 'unavailable',
    async run({ begin, subject, clock }) {
      subject.trouble(...Array<Trouble>(10).fill('unavailable'));
      const work = begin({ isOpenEnded: true });
      const outcome = await outcomeOf(work);
      assert.equal(outcome.status, 'failed', 'the number of attempts is limited');
      assert.ok(outcome.status === 'failed' && outcome.retryable, 'the error allows a retry');
      work.close();
      await until(() => clock.pending === 0, 'no timer is left');
    },
  },
  {
    name: 'does not retry after a permanent rejection',
    needs: 'refusal',
    async run({ begin, subject, clock }) {
      subject.trouble('refusal');
      const work = begin({ isOpenEnded: true });
      const outcome = await outcomeOf(work);
      assert.equal(outcome.status, 'failed');
      assert.ok(outcome.status === 'failed' && !outcome.retryable, 'the error allows no retry');
      work.close();
      await until(() => clock.pending === 0, 'no timer is left');
    },
  },
  keepsKeySecret('a permanent rejection', { status: 401 }, ['llm', ...sessions]),
  keepsKeySecret('a temporary rejection', { status: 503 }, ['llm', ...sessions]),
  keepsKeySecret('the reason of a close', { closeCode: 1008 }),
  keepsKeySecret('an unreadable message', { closeCode: 1011, sends: 'text' }),
  keepsKeySecret('an error message', { closeCode: 1011, sends: 'errors' }),
  {
    name: 'ignores invalid messages',
    needs: 'garbage',
    kinds: sessions,
    async run({ begin, subject }) {
      const first = begin();
      const result = await resultOf(first);
      first.close();
      subject.trouble('garbage');
      assert.equal(await resultOf(begin()), result);
    },
  },
  {
    name: 'reports an invalid chunk of the reply',
    needs: 'garbage',
    kinds: ['llm'],
    async run({ begin, subject }) {
      subject.trouble('garbage');
      const outcome = await outcomeOf(begin());
      assert.equal(outcome.status, 'failed');
    },
  },
  {
    name: 'treats an empty success as a failure',
    needs: 'empty',
    async run({ begin, subject }) {
      subject.trouble('empty');
      const outcome = await outcomeOf(begin());
      assert.equal(outcome.status, 'failed');
    },
  },
  {
    name: 'keeps 16-bit samples whole',
    needs: 'odd-bytes',
    kinds: ['tts', 'realtime'],
    async run({ begin, subject }) {
      const first = begin({ pcm16: true });
      const result = await resultOf(first);
      first.close();
      subject.trouble('odd-bytes');
      const work = begin({ pcm16: true });
      assert.equal(await resultOf(work), result);
      assert.deepEqual(work.audio.filter(({ length }) => length % 2 === 1).length, 0, 'no chunk ends within a sample');
    },
  },
  {
    name: 'cancels one unit of work, and completes the next on the same session',
    kinds: ['tts', 'realtime'],
    async run({ begin }) {
      const first = begin();
      const result = await resultOf(first);
      first.close();
      const work = begin({ onEvent: (current) => current.cancel?.() });
      const outcome = await outcomeOf(work);
      assert.equal(outcome.status, 'ended', `the work ends, got ${JSON.stringify(outcome)}`);
      const next = work.again?.();
      assert.ok(next !== undefined);
      assert.equal(await resultOf(next), result);
    },
  },
];
