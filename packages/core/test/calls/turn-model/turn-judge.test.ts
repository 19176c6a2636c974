import { metrics } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { silentLogger, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { TurnJudge } from '../../../src/calls/turn-model/turn-judge.ts';
import type { Logger } from '../../../src/ports/logger.ts';
import type { TurnModelInput } from '../../../src/ports/turn-model.ts';
import { type ScriptedTurnModel, scriptedTurnModel } from '../../support/scripted-turn-model.ts';

let clock: VirtualClock;
let warnings: Record<string, unknown>[];
let logger: Logger;

beforeEach(() => {
  clock = new VirtualClock();
  warnings = [];
  logger = { ...silentLogger, child: () => logger, warn: (fields) => void warnings.push(fields as never) };
});

function judgeOf(model: ScriptedTurnModel, deadlineMs?: number): TurnJudge {
  return new TurnJudge({ model, clock, logger, ...(deadlineMs === undefined ? {} : { deadlineMs }) });
}

function inputOf(signal = new AbortController().signal): TurnModelInput {
  return { audio: new Int16Array(8), sampleRateHz: 8_000, text: 'yes', language: 'en', signal };
}

/** Asks and lets time pass; the answer must be there by then. */
async function ask(judge: TurnJudge, ms = 0): Promise<number | null | 'pending'> {
  let answer: number | null | 'pending' = 'pending';
  void judge.judge(inputOf()).then((given) => {
    answer = given;
  });
  await clock.advance(ms);
  return answer;
}

/** Answers after some time. */
function after(ms: number, answer: number): () => Promise<number> {
  return () => new Promise((resolve) => clock.setTimer(ms, () => resolve(answer)));
}

describe('a request to the turn model', () => {
  it('returns the answer within the deadline', async () => {
    const model = scriptedTurnModel([0, 1, after(49, 0.7)]);
    const judge = judgeOf(model);
    expect(await ask(judge)).toBe(0);
    expect(await ask(judge)).toBe(1);
    expect(await ask(judge, 48)).toBe('pending');
    await clock.advance(10);
    expect(model.inputs[2]).toMatchObject({ text: 'yes', language: 'en', sampleRateHz: 8_000 });
    expect(warnings).toHaveLength(0);
    expect(clock.pending).toBe(0);
  });

  it('returns null and aborts the work when the deadline passes', async () => {
    const model = scriptedTurnModel([after(200, 0.7)]);
    const judge = judgeOf(model, 80);
    const answer = judge.judge(inputOf());
    await clock.advance(79);
    expect(model.inputs[0]?.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(await answer).toBeNull();
    expect(model.inputs[0]?.signal.aborted).toBe(true);
    expect(warnings).toMatchObject([{ outcome: 'late', failures: 1 }]);
    await clock.advance(200);
  });

  it.each([Number.NaN, -0.01, 1.01, Number.POSITIVE_INFINITY])('returns null when the answer is %d', async (answer) => {
    expect(await ask(judgeOf(scriptedTurnModel([answer])))).toBeNull();
    expect(warnings).toMatchObject([{ outcome: 'invalid', err: { code: 'turn_model' } }]);
  });

  it('returns null when the model rejects, throws, or rejects after the deadline', async () => {
    const late = (): Promise<number> =>
      new Promise((_, reject) => clock.setTimer(100, () => reject(new Error('too late'))));
    expect(await ask(judgeOf(scriptedTurnModel([new Error('out of order')])))).toBeNull();
    const throwing = scriptedTurnModel([]);
    const judge = new TurnJudge({
      model: {
        ...throwing,
        judge: () => {
          throw new Error('thrown');
        },
      },
      clock,
      logger,
    });
    expect(await ask(judge)).toBeNull();
    expect(await ask(judgeOf(scriptedTurnModel([late])), 200)).toBeNull();
    expect(warnings.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'late']);
  });

  it('is cancelled with its signal, which is no failure', async () => {
    const abort = new AbortController();
    const model = scriptedTurnModel([
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    ]);
    const judge = judgeOf(model);
    const answer = judge.judge(inputOf(abort.signal));
    await clock.advance(10);
    abort.abort();
    expect(await answer).toBeNull();
    expect(model.inputs[0]?.signal.aborted).toBe(true);
    expect(warnings).toHaveLength(0);
    expect(clock.pending).toBe(0);
  });
});

describe('a turn model that fails', () => {
  it('is suspended for 30 s after five failures in a row, and then tried with one request', async () => {
    const model = scriptedTurnModel([...Array.from({ length: 6 }, () => new Error('out of order')), 0.4]);
    const judge = judgeOf(model);
    for (let n = 0; n < 8; n++) expect(await ask(judge)).toBeNull();
    expect(model.inputs).toHaveLength(5);
    await clock.advance(29_999);
    expect(await ask(judge)).toBeNull();
    expect(model.inputs).toHaveLength(5);
    await clock.advance(1);
    expect(await ask(judge)).toBeNull();
    expect(model.inputs).toHaveLength(6);
    await clock.advance(30_000);
    expect(await ask(judge)).toBe(0.4);
    expect(await ask(judge)).toBe(0.4);
  });

  it('is not suspended when it answers in between', async () => {
    const failure = new Error('out of order');
    const model = scriptedTurnModel([failure, failure, failure, failure, 0.5, failure, failure, failure, failure, 0.6]);
    const judge = judgeOf(model);
    for (let n = 0; n < 9; n++) await ask(judge);
    expect(await ask(judge)).toBe(0.6);
  });

  it('is logged at most once a minute, with the number of failures', async () => {
    const judge = judgeOf(scriptedTurnModel([new Error('out of order')]));
    for (let n = 0; n < 5; n++) await ask(judge);
    await clock.advance(60_000);
    await ask(judge);
    expect(warnings.map(({ failures }) => failures)).toEqual([1, 5]);
  });
});

describe('the settings of the turn model', () => {
  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuse a deadline of %d ms', (deadlineMs) => {
    expect(() => judgeOf(scriptedTurnModel([1]), deadlineMs)).toThrow(/turnModel\.deadlineMs: must be a positive/);
  });
});

describe('the metrics of the turn model', () => {
  it('count requests by outcome, and measure the answered ones', async () => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
    const meters = new MeterProvider({ readers: [reader] });
    metrics.setGlobalMeterProvider(meters);
    try {
      const judge = judgeOf(scriptedTurnModel([0.5, after(20, 0.5), new Error('out of order'), 7, after(90, 1)]));
      for (let n = 0; n < 7; n++) await ask(judge, 100);
      await meters.forceFlush();
      const [resource] = exporter.getMetrics().slice(-1);
      const found = resource?.scopeMetrics.flatMap((each) => each.metrics) ?? [];
      const [requests, durations] = ['va.turn_model.requests', 'va.turn_model.duration'].map((name) =>
        found.find(({ descriptor }) => descriptor.name === name),
      );
      const counts = requests?.dataPoints.map(({ attributes, value }) => [attributes['va.turn_model.outcome'], value]);
      expect(Object.fromEntries(counts ?? [])).toEqual({ answered: 2, failed: 1, invalid: 1, late: 3 });
      expect(durations?.dataPoints[0]?.value).toMatchObject({ count: 2, sum: 20 });
    } finally {
      await meters.shutdown();
      metrics.disable();
    }
  });
});
