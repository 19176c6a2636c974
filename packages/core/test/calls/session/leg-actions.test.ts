import { ScriptedLeg, silentLogger } from '@va/testkit';
import { describe, expect, it, vi } from 'vitest';
import { type CallerHandover, LegActions } from '../../../src/calls/session/leg-actions.ts';
import type { ConversationRunner } from '../../../src/conversation/runner/runner.ts';
import type { LegEffect } from '../../../src/conversation/state/effects.ts';
import type { MediaLeg, TransferOutcome, TransferRequest } from '../../../src/ports/telephony.ts';
import { untyped } from '../../support/untyped.ts';

const effect: Extract<LegEffect, { type: 'transfer' }> = {
  type: 'transfer',
  id: 7,
  destination: '+31205550100',
  mode: 'blind',
  keysOnAnswer: null,
  summary: null,
};
const accepted: TransferOutcome = { type: 'accepted' };
const failed: TransferOutcome = { type: 'failed', message: '603 Decline' };

interface Line {
  /** Outcome of a transfer by the network; undefined if the line supports none. */
  readonly network?: TransferOutcome;
  /** Outcome of a transfer by the service; undefined if it cannot connect callers. */
  readonly service?: TransferOutcome;
  readonly mayTransferTo?: (destination: string) => Promise<string | null>;
}

/** Runs a transfer; returns its reported outcome and who attempted it. */
async function transferred(line: Line, changes: Partial<typeof effect> = {}) {
  const attempts: string[] = [];
  const attempt = (by: string, outcome: TransferOutcome) => async (_request: TransferRequest) => {
    attempts.push(by);
    return outcome;
  };
  const { network, service, mayTransferTo = async () => null } = line;
  const transfer = network === undefined ? undefined : attempt('network', network);
  const leg: MediaLeg = untyped(Object.assign(new ScriptedLeg(), { transfer }));
  const handover: CallerHandover | null = service === undefined ? null : { attempt: attempt('service', service) };
  const dispatch = vi.fn();
  const { signal } = new AbortController();
  const runner: ConversationRunner = untyped({ dispatch });
  new LegActions({ leg, handover, mayTransferTo, runner, logger: silentLogger, signal }).handle({
    ...effect,
    ...changes,
  });
  await vi.waitFor(() => expect(dispatch).toHaveBeenCalledOnce());
  expect(dispatch.mock.calls[0]?.[0]).toMatchObject({ type: 'transfer-settled', id: 7 });
  return { attempts, outcome: dispatch.mock.calls[0]?.[0].outcome as TransferOutcome };
}

describe('LegActions › transfer', () => {
  it.each<[string, Line, Partial<typeof effect>, string[], TransferOutcome]>([
    ['by the network', { network: accepted, service: accepted }, {}, ['network'], accepted],
    [
      'by the service when the network fails',
      { network: failed, service: accepted },
      {},
      ['network', 'service'],
      accepted,
    ],
    ['by the service when the line has no transfer', { service: accepted }, {}, ['service'], accepted],
    [
      'by the service alone in warm mode',
      { network: accepted, service: failed },
      { mode: 'warm' },
      ['service'],
      failed,
    ],
    [
      'by the service alone with keys after the answer',
      { network: accepted, service: accepted },
      { keysOnAnswer: '12' },
      ['service'],
      accepted,
    ],
    ['by the network in warm mode without the service', { network: accepted }, { mode: 'warm' }, ['network'], accepted],
    ['with the failure of the network if nobody else can', { network: failed }, {}, ['network'], failed],
  ])('is done %s', async (_how, line, changes, attempts, outcome) => {
    expect(await transferred(line, changes)).toEqual({ attempts, outcome });
  });

  it('fails when neither the network nor the service can transfer', async () => {
    const { outcome } = await transferred({});
    expect(outcome).toEqual({ type: 'failed', message: 'the line cannot transfer calls' });
  });

  it('fails without an attempt when only the service could press keys, and it cannot connect callers', async () => {
    const { attempts, outcome } = await transferred({ network: accepted }, { keysOnAnswer: '12' });
    expect([attempts, outcome.type]).toEqual([[], 'failed']);
  });

  it('is refused without an attempt for a destination that is not allowed', async () => {
    const mayTransferTo = async (to: string): Promise<string> => `${to} is not allowed`;
    expect(await transferred({ network: accepted, mayTransferTo })).toEqual({
      attempts: [],
      outcome: { type: 'refused', reason: '+31205550100 is not allowed' },
    });
  });

  it('fails with the message of what was thrown', async () => {
    const mayTransferTo = (): Promise<never> => Promise.reject(new Error('the database is down'));
    const { outcome } = await transferred({ network: accepted, mayTransferTo });
    expect(outcome).toEqual({ type: 'failed', message: 'the database is down' });
  });
});

describe('LegActions › cancellation', () => {
  /** A transfer that the network never completes; `settle` ends it with an outcome. */
  function pending() {
    let settle: (outcome: TransferOutcome) => void = () => {};
    const signals: AbortSignal[] = [];
    const transfer = ({ signal }: TransferRequest): Promise<TransferOutcome> => {
      signals.push(signal);
      return new Promise((resolve) => {
        settle = resolve;
      });
    };
    const leg: MediaLeg = untyped(Object.assign(new ScriptedLeg(), { transfer }));
    const handover = { attempt: vi.fn() };
    const dispatch = vi.fn();
    const call = new AbortController();
    const runner: ConversationRunner = untyped({ dispatch });
    const mayTransferTo = async (): Promise<null> => null;
    const actions = new LegActions({
      leg,
      handover,
      mayTransferTo,
      runner,
      logger: silentLogger,
      signal: call.signal,
    });
    actions.handle(effect);
    return { actions, call, dispatch, handover, signals, settle: (outcome: TransferOutcome) => settle(outcome) };
  }

  it('aborts only the transfer of the id, and does not try the service afterwards', async () => {
    const { actions, dispatch, handover, signals, settle } = pending();
    await vi.waitFor(() => expect(signals).toHaveLength(1));
    actions.handle({ type: 'cancel-transfer', id: 8 });
    expect(signals[0]?.aborted).toBe(false);
    actions.handle({ type: 'cancel-transfer', id: 7 });
    expect(signals[0]?.aborted).toBe(true);
    settle(failed);
    await vi.waitFor(() => expect(dispatch).toHaveBeenCalledOnce());
    expect(handover.attempt).not.toHaveBeenCalled();
  });

  it('aborts the transfer with the call, and reports nothing to it any more', async () => {
    const { call, dispatch, handover, signals, settle } = pending();
    await vi.waitFor(() => expect(signals).toHaveLength(1));
    call.abort();
    expect(signals[0]?.aborted).toBe(true);
    settle(failed);
    await new Promise((resolve) => setImmediate(resolve));
    expect(dispatch).not.toHaveBeenCalled();
    expect(handover.attempt).not.toHaveBeenCalled();
  });
});
