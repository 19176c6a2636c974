import { expect, it } from 'vitest';
import type { CarrierIncomingCall } from '../../../src/shared/call/incoming-call.ts';
import { RecentAnswers } from '../../../src/shared/call/recent-answers.ts';
import type { WebhookAnswer } from '../../../src/shared/call/webhook-answer.ts';

function setup() {
  const answers = new RecentAnswers();
  const begun: WebhookAnswer[] = [];
  let abandoned = 0;
  const call = { abandoned: () => (abandoned += 1) } as unknown as CarrierIncomingCall;
  const ask = (trunkId: string, callId: string, signal = new AbortController().signal) => {
    const request = new Request('http://localhost/voice', { signal });
    return answers.of(request, { trunkId, callId }, (answer) => {
      begun.push(answer);
      return call;
    });
  };
  return { ask, begun, abandoned: () => abandoned };
}

it('recent answers › keep the calls of trunks apart', async () => {
  const { ask, begun } = setup();
  const own = ask('t1', 'c1');
  const foreign = ask('t2', 'c1');
  for (const [n, answer] of begun.entries()) answer.respond(new Response(`answer ${n}`));
  expect([await (await own).text(), await (await foreign).text()]).toEqual(['answer 0', 'answer 1']);
});

it('recent answers › abandon a call once the carrier has given up all of its requests', () => {
  const { ask, abandoned } = setup();
  const [first, second] = [new AbortController(), new AbortController()];
  void ask('t1', 'c1', first.signal);
  void ask('t1', 'c1', second.signal);
  first.abort();
  expect(abandoned()).toBe(0);
  second.abort();
  expect(abandoned()).toBe(1);
});

it('recent answers › forget the oldest of more than 1,024 calls', async () => {
  const { ask, begun } = setup();
  for (let n = 0; n <= 1_024; n += 1) void ask('t1', `c${n}`);
  void ask('t1', 'c1024');
  expect(begun).toHaveLength(1_025);
  void ask('t1', 'c0');
  expect(begun).toHaveLength(1_026);
});
