import type { TransferOutcome, TransferRequest } from '@va/core/adapter';
import { VirtualClock } from '@va/testkit';
import { describe, expect, it, vi } from 'vitest';
import { ApiTransfer } from '../../../src/shared/call/api-transfer.ts';

const request = { destination: '+31201234567' } as unknown as TransferRequest;
const accepted: TransferOutcome = { type: 'accepted' };
const failed = { type: 'failed', reason: 'busy' } as unknown as TransferOutcome;

/** A transfer whose outcome the test decides. */
function setUp() {
  const clock = new VirtualClock();
  let settle: (outcome: TransferOutcome) => void = () => {};
  const run = vi.fn(
    () =>
      new Promise<TransferOutcome>((resolve) => {
        settle = resolve;
      }),
  );
  return { clock, run, transfer: new ApiTransfer(run, clock), settle: (outcome: TransferOutcome) => settle(outcome) };
}

describe('ApiTransfer', () => {
  it('is done once the carrier has accepted it', async () => {
    const { run, transfer, settle } = setUp();
    const outcome = transfer.request(request);
    expect(transfer.isDone).toBe(false);
    settle(accepted);
    expect(await outcome).toBe(accepted);
    expect([transfer.isDone, run.mock.calls]).toEqual([true, [[request]]]);
  });

  it('is not done after a failure, also not after an earlier success', async () => {
    const { transfer, settle } = setUp();
    for (const outcome of [accepted, failed]) {
      const asked = transfer.request(request);
      settle(outcome);
      await asked;
    }
    expect(transfer.isDone).toBe(false);
  });

  it('has nothing to settle before and after it', async () => {
    const { clock, transfer, settle } = setUp();
    await transfer.settled();
    const outcome = transfer.request(request);
    settle(failed);
    await outcome;
    await transfer.settled();
    expect(clock.pending).toBe(0);
  });

  it('settles after its outcome has been reported', async () => {
    const { clock, transfer, settle } = setUp();
    const order: string[] = [];
    const reported = transfer.request(request).then(() => order.push('outcome'));
    const settled = transfer.settled().then(() => order.push('settled'));
    await clock.advance(1_000);
    expect(order).toEqual([]);
    settle(accepted);
    await clock.advance(0);
    await Promise.all([reported, settled]);
    expect(order).toEqual(['outcome', 'settled']);
  });
});
