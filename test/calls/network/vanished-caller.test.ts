import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startService, type TestService } from '../../support/service.ts';
import { callAgent, exchange, expectFreshCallToWork } from '../../support/short-call.ts';

const generalMs = 600;
/** Longer than a test may take, so that only `generalMs` can end the call. */
const initialMs = 3_600_000;

describe('a caller who disappears without BYE', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startService({ mediaTimeout: { initialMs, generalMs } });
  });
  afterEach(() => service.close());

  it('ends the call as failed after the media timeout, and reports it', async () => {
    const call = await callAgent(service);
    await exchange(call);
    await call.vanish();
    const vanishedAt = performance.now();
    const record = await service.ended(1);
    expect(performance.now() - vanishedAt).toBeGreaterThan(generalMs - 100);
    expect(record).toMatchObject({
      status: 'failed',
      end_reason: 'transport_error',
      duration_seconds: expect.any(Number),
    });
    expect(record.error).toEqual(expect.any(String));
    expect(await (await service.api(`/calls/${record.id}`)).json()).toEqual(record);
    expect(record.messages.map(({ role }) => role)).toEqual(['assistant', 'user', 'assistant']);

    await vi.waitFor(() => expect(service.customer.of('end-of-call-report')).toHaveLength(1));
    expect(service.customer.of('end-of-call-report')[0]).toMatchObject({
      call: { id: record.id, status: 'ended-with-error' },
      endReason: 'transport_error',
      error: record.error,
      messages: record.messages,
    });
    await expectFreshCallToWork(service);
  });
});
