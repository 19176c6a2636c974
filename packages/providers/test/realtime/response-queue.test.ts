import { VirtualClock } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { cancelId, Responses } from '../../src/realtime/responses.ts';

function setUp() {
  const clock = new VirtualClock();
  const log: string[] = [];
  const host = {
    clock,
    isReady: true,
    sendRequest: ({ response }: { response: number }) => void log.push(`request ${response}`),
    sendCancel: (id: string) => void log.push(`cancel ${id}`),
    finished: (response: number, { status }: { status: string }) => void log.push(`${status} ${response}`),
    stalled: () => void log.push('stalled'),
  };
  const responses = new Responses(host, 10_000);
  const request = (response: number) => responses.request({ response, withTools: false, say: undefined });
  return { clock, log, host, responses, request };
}

const refusal = (code: string, eventId?: string) =>
  ({ fault: 'invalid_request', code, message: code, eventId }) as const;

describe('Responses', () => {
  it('requests the next response when the active one has ended', () => {
    const { log, responses, request } = setUp();
    request(1);
    request(2);
    responses.began('a');
    const active = responses.attribute('a');
    if (active !== undefined) active.hasOutput = true;
    responses.ended('a', { status: 'completed' });
    expect(log).toEqual(['request 1', 'completed 1', 'request 2']);
  });

  it('fails a response that completes without output', () => {
    const { log, responses, request } = setUp();
    request(1);
    responses.began('a');
    responses.ended('a', { status: 'completed' });
    expect(log).toEqual(['request 1', 'failed 1']);
  });

  it('requests nothing before the connection is ready', () => {
    const { log, host, responses, request } = setUp();
    host.isReady = false;
    request(1);
    expect(log).toEqual([]);
    host.isReady = true;
    responses.next();
    expect(log).toEqual(['request 1']);
  });

  it('cancels a response once it has begun', () => {
    const { log, responses, request } = setUp();
    request(1);
    responses.cancel(1);
    expect(log).toEqual(['request 1']);
    responses.began('a');
    responses.cancel(1);
    expect(log).toEqual(['request 1', 'cancel a']);
  });

  it('ends a waiting response at once when it is cancelled', () => {
    const { log, responses, request } = setUp();
    request(1);
    request(2);
    responses.cancel(2);
    expect(log).toEqual(['request 1', 'cancelled 2']);
  });

  it('cancels a response that was not requested, and ignores its end', () => {
    const { log, responses } = setUp();
    responses.began('foreign');
    responses.ended('foreign', { status: 'completed' });
    responses.ended('unknown', { status: 'completed' });
    expect(log).toEqual(['cancel foreign']);
  });

  it('attributes events without an id to the active response', () => {
    const { responses, request } = setUp();
    expect(responses.attribute(undefined)).toBeUndefined();
    request(1);
    expect(responses.attribute(undefined)).toBeUndefined();
    responses.began('a');
    expect(responses.attribute(undefined)?.response).toBe(1);
    expect(responses.attribute('b')).toBeUndefined();
    responses.cancel(1);
    expect(responses.attribute('a')).toBeUndefined();
  });

  it('requests again 1 s after a rejection because of another response', async () => {
    const { clock, log, responses, request } = setUp();
    request(1);
    expect(responses.refused(refusal('conversation_already_has_active_response'), false)).toBe(true);
    await clock.advance(999);
    expect(log).toEqual(['request 1']);
    await clock.advance(1);
    expect(log).toEqual(['request 1', 'request 1']);
  });

  it('fails after five rejections because of another response', async () => {
    const { clock, log, responses, request } = setUp();
    request(1);
    for (let refused = 0; refused < 6; refused++) {
      responses.refused(refusal('conversation_already_has_active_response'), false);
      await clock.advance(1_000);
    }
    expect(log.filter((entry) => entry === 'request 1')).toHaveLength(6);
    expect(log.at(-1)).toBe('failed 1');
    expect(clock.pending).toBe(0);
  });

  it('leaves errors of other events to the session', () => {
    const { responses, request } = setUp();
    expect(responses.refused(refusal('any'), false)).toBe(false);
    request(1);
    expect(responses.refused(refusal('any', 'commit-1'), false)).toBe(false);
    expect(responses.refused(refusal('any'), false)).toBe(false);
    expect(responses.refused(refusal('any', 'respond-1'), false)).toBe(true);
  });

  it('ends a cancelled response when there is nothing to cancel', () => {
    const { log, responses, request } = setUp();
    request(1);
    responses.began('a');
    responses.cancel(1);
    expect(responses.refused(refusal('any', cancelId('a')), false)).toBe(true);
    expect(log.at(-1)).toBe('cancelled 1');
  });

  it.each([
    ['fails it when it had begun', true, ['request 1', 'failed 1']],
    ['requests it again when it had not begun', false, ['request 1', 'request 1']],
  ])('a lost connection %s', (_, hasBegun, expected) => {
    const { log, responses, request } = setUp();
    request(1);
    if (hasBegun) responses.began('a');
    responses.lost('closed');
    responses.next();
    expect(log).toEqual(expected);
  });

  it('fails the response and the connection when no data arrives', async () => {
    const { clock, log, responses, request } = setUp();
    request(1);
    responses.began('a');
    await clock.advance(9_000);
    responses.attribute('a');
    await clock.advance(9_999);
    expect(log).toEqual(['request 1']);
    await clock.advance(1);
    expect(log).toEqual(['request 1', 'failed 1', 'stalled']);
  });

  it('leaves no timer after close', () => {
    const { clock, responses, request } = setUp();
    request(1);
    responses.refused(refusal('conversation_already_has_active_response'), false);
    responses.close();
    expect(clock.pending).toBe(0);
    expect(responses.isIdle).toBe(true);
  });
});
