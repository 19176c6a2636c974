import { saying, scriptedLlm, scriptedStt } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { CallEvent } from '../../src/domain/calls/call-event.ts';
import { refusal } from '../operations/support.ts';
import type { PhoneCall } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const { ring } = phoneCalls();

function watch(
  call: PhoneCall,
  id: string,
  lastEventId: string | null = null,
): { events: CallEvent[]; done: Promise<'read' | 'nothing more'>; stop: () => void } {
  const aborter = new AbortController();
  const events: CallEvent[] = [];
  const read = async (): Promise<'read' | 'nothing more'> => {
    const source = await call.va.operations.calls.events(call.orgId, id, { lastEventId, signal: aborter.signal });
    if (source === null) return 'nothing more';
    for await (const event of source) events.push(event);
    return 'read';
  };
  return { events, done: read(), stop: () => aborter.abort() };
}

const summary = ({ type, data }: CallEvent): string =>
  type === 'status' ? `status ${data.status}` : type === 'transcript' ? `${data.role}: ${data.content}` : type;

describe('call events', () => {
  it('are streamed during the call; the stream ends with the call', async () => {
    const call = await ring({
      stt: scriptedStt({ turns: ['hello'] }),
      llm: scriptedLlm([saying('Hi there.')]),
    });
    const { id } = await call.stored();
    const live = watch(call, id);
    await call.quiet(100);
    expect(live.events.map(summary)).toEqual(['status connecting', 'status in-progress']);
    await call.speak(300);
    await call.quiet(3_000);
    call.incoming.leave();
    await call.quiet(100);
    await live.done;
    expect(live.events.map(summary)).toEqual([
      'status connecting',
      'status in-progress',
      'user: hello',
      'latency',
      'assistant: Hi there.',
      'status ended',
    ]);
    expect(live.events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('can be read after the end of the call, from the start or after a Last-Event-ID', async () => {
    const call = await ring();
    await call.quiet(100);
    call.incoming.leave();
    await call.quiet(100);
    const { id } = await call.stored();
    const all = watch(call, id);
    await all.done;
    expect(all.events.map(summary)).toEqual(['status connecting', 'status in-progress', 'status ended']);
    const rest = watch(call, id, '1');
    await rest.done;
    expect(rest.events).toEqual(all.events.slice(1));
    expect(await watch(call, id, '2').done).toBe('read');
    expect(await watch(call, id, '3').done).toBe('nothing more');
    const beyond = watch(call, id, '4');
    await call.nothing(10_000);
    expect(await beyond.done).toBe('read');
    expect(beyond.events).toEqual([]);
    expect(await watch(call, id, '4').done).toBe('nothing more');
  });

  it('stop when the reader aborts', async () => {
    const call = await ring();
    const { id } = await call.stored();
    const live = watch(call, id);
    await call.quiet(100);
    live.stop();
    await live.done;
    expect(live.events.length).toBeGreaterThan(0);
  });

  it('are refused for an invalid Last-Event-ID and for an unknown call', async () => {
    const call = await ring();
    const { id } = await call.stored();
    expect((await refusal(watch(call, id, 'x').done)).status).toBe(400);
    expect((await refusal(watch(call, '00000000-0000-7000-8000-0000000000ff').done)).code).toBe('call_not_found');
  });
});
