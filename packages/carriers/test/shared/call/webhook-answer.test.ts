import { describe, expect, it, vi } from 'vitest';
import type { CarrierIncomingCall } from '../../../src/shared/call/incoming-call.ts';
import { WebhookAnswer } from '../../../src/shared/call/webhook-answer.ts';

function ringing(): { answer: WebhookAnswer; call: CarrierIncomingCall; abandoned: ReturnType<typeof vi.fn> } {
  const abandoned = vi.fn();
  return { answer: new WebhookAnswer(), call: { abandoned } as unknown as CarrierIncomingCall, abandoned };
}
function request(controller = new AbortController()): Request {
  return new Request('http://localhost', { signal: controller.signal });
}

describe('the response of a webhook', () => {
  it('is the first response given, for each request of the call', async () => {
    const { answer, call } = ringing();
    const both = [answer.of(request(), call), answer.of(request(), call)];
    answer.respond(new Response('one'));
    answer.respond(new Response('two'));
    expect(await Promise.all(both.map(async (response) => await (await response).text()))).toEqual(['one', 'one']);
    expect(await (await answer.of(request(), null)).text()).toBe('one');
  });

  it('abandons the call once all requests are aborted', () => {
    const { answer, call, abandoned } = ringing();
    const [first, second] = [new AbortController(), new AbortController()];
    void answer.of(request(first), call);
    void answer.of(request(second), call);
    first.abort();
    expect(abandoned).not.toHaveBeenCalled();
    second.abort();
    expect(abandoned).toHaveBeenCalledOnce();
  });

  it('abandons the call if its request was aborted before, such as during the signature check', () => {
    const { answer, call, abandoned } = ringing();
    const controller = new AbortController();
    controller.abort();
    void answer.of(request(controller), call);
    expect(abandoned).toHaveBeenCalledOnce();
  });
});
