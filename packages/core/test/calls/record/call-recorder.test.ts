import { memory } from '@va/storage/memory';
import { sampleCall, silentLogger, VirtualClock } from '@va/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  CallRecorder,
  type CallRecorderDependencies,
  type CallRecorderOptions,
  type FinalState,
} from '../../../src/calls/record/call-recorder.ts';
import { PriceList } from '../../../src/costs/price-list.ts';
import { UsageMeter } from '../../../src/costs/usage-meter.ts';
import { type Call, shownCall } from '../../../src/domain/calls/call.ts';
import type { CallEvent } from '../../../src/domain/calls/call-event.ts';
import { systemRandom } from '../../../src/ids.ts';
import { InProcessJobs } from '../../../src/jobs/in-process-jobs.ts';
import type { RecordingSink } from '../../../src/ports/recordings.ts';
import type { Storage } from '../../../src/ports/storage/storage.ts';
import { organizationOf, orgId } from '../../operations/support.ts';
import { openConversation, replied, said } from '../../support/conversation-state.ts';
import { recordId, startedAt } from '../../support/sample-records.ts';
import { untyped } from '../../support/untyped.ts';

const callId = recordId('7', 1);
const ringing = sampleCall({ id: callId, status: 'connecting', created_at: startedAt, started_at: startedAt });
const hungUp: FinalState = {
  ending: { reason: 'user_hangup', error: null },
  conversation: null,
  assistant: null,
  leg: null,
};

let clock: VirtualClock;
let storage: Storage;
/** Calls that the recorder makes to its dependencies, in order. */
let log: string[];
let emitted: { name: string; event: object }[];
let written: CallEvent[];
let errors: string[];

beforeEach(async () => {
  clock = new VirtualClock();
  storage = memory();
  [log, emitted, written, errors] = [[], [], [], []];
  await storage.organizations.insert(orgId, organizationOf(orgId, clock));
});

function recorder(parts: Partial<CallRecorderDependencies> = {}) {
  const telemetry = {
    answered: () => void log.push('telemetry answered'),
    notice: ({ type }: { type: string }) => void log.push(`telemetry ${type}`),
    ended: ({ status }: Call) => void log.push(`telemetry ${status}`),
  };
  const webhooks = {
    statusUpdate: () => [],
    ended: () => [],
    reportPlan: () => null,
  };
  const meter = new UsageMeter(
    new PriceList({
      currency: 'EUR',
      prices: [{ provider: 'vendor', kind: 'output_tokens', price: 2, per: 'thousand_tokens' }],
    }),
    clock,
  );
  const logger = { ...silentLogger, error: (_fields: object, message: string) => void errors.push(message) };
  const deps: CallRecorderDependencies = {
    storage,
    jobs: new InProcessJobs(clock),
    clock,
    random: systemRandom,
    logger,
    outbox: untyped({ prepare: () => ({ jobs: [], dispatch: () => void log.push('webhooks') }) }),
    recordings: untyped({ create: async () => ({ write() {}, close: async () => void log.push('recording closed') }) }),
    recordingUrl: (id) => `https://va.test/${id}`,
    pricing: { currency: 'EUR', perMinute: 0.6 },
    prices: new PriceList({ currency: 'EUR' }),
    afterCall: { plan: ({ call }) => ({ call, reportsLater: false, jobs: [], begin: () => void log.push('begin') }) },
    campaignPublisher: { callEnded: (_orgId, { id }) => void log.push(`campaign ${id}`) },
    emit: (name, event) => void emitted.push({ name, event: event as object }),
    ...parts,
  };
  const options: CallRecorderOptions = {
    orgId,
    call: shownCall(ringing),
    meter,
    logger,
    webhooks: untyped(webhooks),
    telemetry: untyped(telemetry),
    onEventsStored: (events) => void written.push(...events),
    onEndStored: () => void log.push('end stored'),
  };
  return { recorder: new CallRecorder(deps, options), meter };
}

async function begun(parts: Partial<CallRecorderDependencies> = {}) {
  const made = recorder(parts);
  await made.recorder.begin(async (call) => {
    await storage.calls.insert(orgId, { ...ringing, ...call });
    return call;
  });
  return made;
}

async function answered(parts: Partial<CallRecorderDependencies> = {}) {
  const made = await begun(parts);
  made.recorder.answered(() => void log.push('answer stored'));
  await clock.advance(0);
  return made;
}

const stored = () => storage.calls.get(orgId, callId);
const names = (): string[] => emitted.map(({ name }) => name);

describe('the beginning of a call', () => {
  it('is reported as an event of the call and of the host, with the stored record', async () => {
    const { recorder: recording } = recorder();
    const isBegun = await recording.begin(async (call) => ({ ...call, agent_name: 'Anna' }));
    expect([isBegun, recording.call.agent_name]).toEqual([true, 'Anna']);
    await clock.advance(0);
    expect(written).toMatchObject([{ seq: 1, type: 'status', data: { status: 'connecting' } }]);
    expect(emitted).toMatchObject([{ name: 'call.created', event: { orgId, call: { agent_name: 'Anna' } } }]);
  });

  it('is not reported if the call has already ended', async () => {
    const { recorder: recording } = recorder();
    expect(await recording.begin(async () => null)).toBe(false);
    await clock.advance(0);
    expect([written, emitted]).toEqual([[], []]);
  });

  it('rejects if it cannot be stored, and does not delay the end then', async () => {
    const { recorder: recording } = recorder();
    await expect(recording.begin(() => Promise.reject(new Error('no database')))).rejects.toThrow('no database');
    await recording.finish(hungUp);
    expect(names()).toEqual(['call.ended']);
  });
});

describe('the answer of a call', () => {
  it('is stored, counted and reported', async () => {
    await clock.advance(4_000);
    await answered();
    expect(await stored()).toMatchObject({ status: 'in-progress', answered_at: '2026-01-01T09:00:04.000Z' });
    expect(log).toEqual(['telemetry answered', 'webhooks', 'answer stored']);
    expect(names()).toEqual(['call.created', 'call.answered']);
    expect(written.map(({ data }) => data)).toMatchObject([{ status: 'connecting' }, { status: 'in-progress' }]);
  });

  it('that cannot be stored is logged, and the call goes on', async () => {
    const { recorder: recording } = await begun();
    const transaction = storage.transaction.bind(storage);
    storage.transaction = () => Promise.reject(new Error('no database'));
    recording.answered(() => void log.push('answer stored'));
    await clock.advance(0);
    storage.transaction = transaction;
    expect([errors, log]).toEqual([['failed to store the answer of a call'], ['telemetry answered']]);
    await recording.finish(hungUp);
    expect(await stored()).toMatchObject({ status: 'ended', answered_at: startedAt });
  });
});

describe('a recorder during a call', () => {
  it('passes notices and digits to the event log, the host and telemetry, in order', async () => {
    const { recorder: recording } = await answered();
    [written, emitted, log] = [[], [], []];
    recording.notice({ type: 'user-turn', text: 'Hi' });
    recording.dtmf(untyped({ digit: '5', durationMs: 120 }));
    await clock.advance(0);
    expect(written.map(({ seq, type }) => [seq, type])).toEqual([
      [3, 'transcript'],
      [4, 'dtmf'],
    ]);
    expect(emitted).toEqual([
      { name: 'call.notice', event: { orgId, callId, notice: { type: 'user-turn', text: 'Hi' } } },
      { name: 'call.dtmf', event: { orgId, callId, digit: { digit: '5', durationMs: 120 } } },
    ]);
    expect(log).toEqual(['telemetry user-turn']);
  });

  it('changes the variables of the live call at once', async () => {
    const { recorder: recording } = await answered();
    await recording.setVariables({ name: 'Ann' });
    expect(recording.call.variables).toEqual({ name: 'Ann' });
    expect(await stored()).toMatchObject({ variables: { name: 'Ann' } });
  });

  it('does not change the stored record of a call that has ended', async () => {
    const { recorder: recording } = await answered();
    await storage.calls.update(orgId, callId, { status: 'failed' });
    await recording.setVariables({ name: 'Ann' });
    expect(await stored()).toMatchObject({ variables: null });
  });

  it('stores changes of the record with its next write', async () => {
    const { recorder: recording } = await begun();
    recording.change({ business_name: 'Harbour' });
    expect(await stored()).toMatchObject({ business_name: null });
    recording.answered(() => {});
    await clock.advance(0);
    expect(await stored()).toMatchObject({ business_name: 'Harbour' });
  });
});

describe('the end of a call', () => {
  it('is stored with its transcript, duration and cost', async () => {
    const { recorder: recording, meter } = await answered();
    meter.add({ provider: 'vendor', model: null, ownKey: false }, 'output_tokens', 500);
    await clock.advance(60_000);
    const entries = [replied('Hello.'), said('Bye.')];
    await recording.finish({ ...hungUp, conversation: openConversation({ entries }) });
    expect(await stored()).toMatchObject({
      status: 'ended',
      end_reason: 'user_hangup',
      duration_seconds: 60,
      recording_url: null,
      media: null,
      ended_at: '2026-01-01T09:01:00.000Z',
      cost: 1.6,
      messages: [
        { role: 'assistant', content: 'Hello.' },
        { role: 'user', content: 'Bye.' },
      ],
      cost_breakdown: [
        { provider: 'vendor', kind: 'output_tokens', price: 1 },
        { provider: 'telephony', kind: 'call_minutes', quantity: 1, price: 0.6 },
      ],
    });
  });

  it('is reported to telemetry, campaigns and the host after it is stored', async () => {
    const { recorder: recording } = await answered();
    [log, emitted] = [[], []];
    await recording.finish(hungUp);
    expect(log).toEqual(['webhooks', 'end stored', 'begin', 'telemetry ended', `campaign ${callId}`]);
    expect(emitted).toMatchObject([{ name: 'call.ended', event: { orgId, call: { status: 'ended' } } }]);
    expect(written.at(-1)).toMatchObject({ type: 'status', data: { status: 'ended', end_reason: 'user_hangup' } });
  });

  it('starts no after-call work if another process has already stored it', async () => {
    const { recorder: recording } = await answered();
    await storage.calls.update(orgId, callId, { status: 'failed', end_reason: 'worker_lost' });
    log = [];
    await recording.finish(hungUp);
    expect(log).toEqual(['end stored', 'telemetry ended', `campaign ${callId}`]);
    expect(await stored()).toMatchObject({ end_reason: 'worker_lost' });
  });

  it('is stored with the changes of the after-call plan', async () => {
    const { recorder: recording } = await answered({
      afterCall: {
        plan: ({ call }) => ({
          call: { ...call, analysis_status: 'pending' },
          reportsLater: true,
          jobs: [],
          begin: () => void log.push('analysis'),
        }),
      },
    });
    await recording.finish(hungUp);
    expect(await stored()).toMatchObject({ analysis_status: 'pending' });
    expect(recording.call.analysis_status).toBe('pending');
    expect(log).toContain('analysis');
  });

  it('is stored after the answer, even if that takes seconds to store', async () => {
    const { recorder: recording } = await begun();
    const transaction = storage.transaction.bind(storage);
    let go = (): void => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    storage.transaction = async (work) => {
      storage.transaction = transaction;
      await gate;
      return await transaction(work);
    };
    recording.answered(() => void log.push('answer stored'));
    const finishing = recording.finish(hungUp);
    await clock.advance(5_000);
    expect(log).toEqual(['telemetry answered']);
    go();
    await finishing;
    expect(log.filter((entry) => entry.endsWith('stored'))).toEqual(['answer stored', 'end stored']);
  });

  it('has the media statistics of its leg', async () => {
    const received = { packets: 100, packetsLost: 1, packetsDropped: 0, jitterMs: 2.04 };
    const statistics = { received, sent: { packets: 90, packetsLost: null, jitterMs: null }, roundTripMs: 31.26 };
    const { recorder: recording } = await answered();
    await recording.finish({ ...hungUp, leg: untyped({ statistics: async () => statistics }) });
    expect(await stored()).toMatchObject({
      media: { received: { packets: 100, jitter_ms: 2 }, sent: { packets: 90 }, round_trip_ms: 31.3 },
    });
  });
});

describe('the recording of a call', () => {
  it('is completed before the end is stored, which has its URL', async () => {
    const { recorder: recording } = await answered();
    expect(await recording.openRecording()).not.toBeNull();
    let flushed = (): void => {};
    recording.mediaStopping(
      new Promise((resolve) => {
        flushed = resolve;
      }),
    );
    log = [];
    const finishing = recording.finish(hungUp);
    await clock.advance(500);
    expect(log).toEqual([]);
    flushed();
    await finishing;
    expect(log.slice(0, 2)).toEqual(['recording closed', 'webhooks']);
    expect(await stored()).toMatchObject({ recording_url: `https://va.test/${callId}` });
  });

  it('delays the end by at most one second', async () => {
    const { recorder: recording } = await answered();
    await recording.openRecording();
    recording.mediaStopping(new Promise(() => {}));
    const finishing = recording.finish(hungUp);
    await clock.advance(999);
    expect(await stored()).toMatchObject({ status: 'in-progress' });
    await clock.advance(1);
    await finishing;
    expect(await stored()).toMatchObject({ status: 'ended', recording_url: `https://va.test/${callId}` });
  });

  it('has no URL if it could not be opened or completed', async () => {
    const broken: Partial<RecordingSink> = { write() {}, close: () => Promise.reject(new Error('disk full')) };
    for (const create of [() => Promise.reject(new Error('no disk')), async () => broken]) {
      storage = memory();
      await storage.organizations.insert(orgId, organizationOf(orgId, clock));
      const { recorder: recording } = await answered({ recordings: untyped({ create }) });
      await recording.openRecording();
      await recording.finish(hungUp);
      expect(await stored()).toMatchObject({ status: 'ended', recording_url: null });
    }
    expect(errors).toHaveLength(2);
  });
});
