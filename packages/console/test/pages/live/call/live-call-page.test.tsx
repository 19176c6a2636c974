// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/dom';
import type { Call, CallEvent, LiveEvent } from '@va/client';
import { sampleCall } from '@va/testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LivePage } from '../../../../src/app/pages/live/live-page.tsx';
import { callEvent, instant, liveState } from '../../../support/live-events.ts';
import { ScriptedStream } from '../../../support/scripted-stream.ts';
import { refusal, sessionWith } from '../../../support/session.ts';
import { showPage } from '../../../support/show.tsx';
import { factsOf, press, textOf } from '../../../support/user.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.parse(instant(60)) }));
afterEach(() => void vi.useRealTimers());

async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

const call = sampleCall({
  id: 'call-1',
  status: 'in-progress',
  agent_name: 'Reception',
  created_at: instant(0),
  started_at: instant(0),
  answered_at: instant(5),
});

async function open(shown: Call = call, scopes: readonly string[] = ['*']) {
  const events = new ScriptedStream<CallEvent>();
  const moments = new ScriptedStream<LiveEvent>();
  const calls = {
    get: async () => shown,
    events: (_id: string, options?: object) => events.open(options),
    live: (_query?: object, options?: object) => moments.open(options),
  };
  showPage(<LivePage session={sessionWith({ calls }, { scopes })} />, '#/live/call-1');
  await pass(0);
  return { events, moments };
}

const said = (id: number, role: 'user' | 'assistant', content: string, seconds: number, unheard?: string): CallEvent =>
  role === 'user'
    ? callEvent('call-1', id, 'transcript', { role, content }, seconds)
    : callEvent(
        'call-1',
        id,
        'transcript',
        { role, content, interrupted: unheard !== undefined, ...(unheard !== undefined && { unheard }) },
        seconds,
      );
const log = (): HTMLElement => screen.getByRole('log', { name: 'Transcript' });
const lines = (): readonly string[] => [...log().querySelectorAll('li')].map(textOf);

describe('the page of a live call', () => {
  it('has the parties and the time since the answer', async () => {
    await open();
    expect(textOf(screen.getByRole('heading', { level: 1 }))).toBe('+31612345678');
    expect(screen.getByText('Inbound · +31201234567 · Reception')).toBeTruthy();
    expect(screen.getByText('0:55')).toBeTruthy();
    await pass(10_000);
    expect(screen.getByText('1:05')).toBeTruthy();
  });

  it('shows why the call cannot be loaded, and loads it again', async () => {
    const get = vi.fn<() => Promise<Call>>().mockRejectedValueOnce(refusal('There is no such call.'));
    get.mockReturnValue(new Promise(() => {}));
    showPage(<LivePage session={sessionWith({ calls: { get } })} />, '#/live/call-1');
    await pass(0);
    expect(textOf(screen.getByRole('alert'))).toContain('There is no such call.');
    press('Try again');
    await pass(0);
    expect(get).toHaveBeenCalledTimes(2);
  });

  it('shows the latency of the last turn', async () => {
    const { events } = await open();
    const latency = { endpointing_ms: 300, stt_final_ms: 100, first_audio_ms: 700, tts_first_byte_ms: 120 };
    events.send(callEvent('call-1', 1, 'latency', { ...latency, total_ms: 730, llm_first_token_ms: null }));
    await pass(0);
    const figures = document.querySelector('.now .figures');
    expect(figures === null ? null : factsOf(figures)).toEqual({
      Response: '730 ms',
      'End of turn': '300 ms',
      Model: '–',
      Voice: '120 ms',
    });
  });

  it.each([
    ['without the scope to write', call, ['calls:read']],
    ['of a call that rings', { ...call, status: 'connecting' as const }, ['*']],
  ])('has neither supervision nor actions %s', async (_, shown, scopes) => {
    await open(shown, scopes);
    expect(screen.queryByRole('button', { name: 'Take over' })).toBeNull();
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  it('offers the actions once the call is answered', async () => {
    const { events } = await open({ ...call, status: 'connecting', answered_at: null });
    expect(screen.getByText('Actions are possible once the call is answered.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Mute the agent' })).toHaveProperty('disabled', true);
    events.send(callEvent('call-1', 1, 'status', { status: 'in-progress', end_reason: null, error: null }, 60));
    await pass(0);
    expect(screen.getByRole('button', { name: 'Listen in' })).toBeTruthy();
    expect(screen.getByRole('textbox', { name: 'The agent says' })).toBeTruthy();
    expect(screen.getByText('0:00', { selector: '.elapsed' })).toBeTruthy();
  });

  it('says how the call ended, and links its record', async () => {
    const { events, moments } = await open();
    events.send(callEvent('call-1', 1, 'status', { status: 'failed', end_reason: 'llm_error', error: 'No answer.' }));
    await pass(0);
    const notice = screen.getByText(/^The call has failed/).closest('.notice') as HTMLElement;
    expect(textOf(notice)).toBe('The call has failed. The model failed.No answer.Open the record of the call');
    expect(within(notice).getByRole('link').getAttribute('href')).toBe('#/calls/call-1');
    expect(screen.queryByRole('button', { name: 'Listen in' })).toBeNull();
    expect(document.querySelector('.connection')).toBeNull();
    // The stream of live events is not needed any more.
    expect([moments.connections.length, moments.connections[0]?.signal?.aborted]).toEqual([1, true]);
  });
});

describe('the transcript of a live call', () => {
  it('has words, tools and notes with their times', async () => {
    const { events } = await open();
    expect(textOf(log())).toBe('Nobody has spoken yet.');
    events.send(
      said(1, 'user', 'A table.', 9),
      callEvent('call-1', 2, 'tool-call', { id: 'a', name: 'find_table', arguments: { size: 2 } }, 10),
      callEvent('call-1', 3, 'dtmf', { digit: '5', durationMs: 80 }, 11),
      said(4, 'assistant', 'At', 12, 'eight.'),
    );
    await pass(0);
    expect(lines()).toEqual([
      '0:04CallerA table.',
      expect.stringMatching(/^0:05Tool find_tablerunsArguments/),
      '0:06The caller pressed 5',
      '0:07AgentinterruptedAt(Not heard:) eight.',
    ]);
    events.send(
      callEvent('call-1', 5, 'tool-result', { id: 'a', name: 'find_table', ok: true, result: { free: 3 } }, 13),
    );
    await pass(0);
    expect(lines()[1]).toBe('0:05Tool find_tabledoneArguments{ "size": 2 }Result{ "free": 3 }');
  });

  it('shows the error of a tool', async () => {
    const { events } = await open();
    events.send(
      callEvent('call-1', 1, 'tool-call', { id: 'a', name: 'find_table', arguments: 'not json' }, 10),
      callEvent('call-1', 2, 'tool-result', { id: 'a', name: 'find_table', ok: false, error: 'down' }, 11),
    );
    await pass(0);
    expect(lines()).toEqual(['0:05Tool find_tablefailedArgumentsnot jsonErrordown']);
  });

  it('shows words that may still change below, until they are final', async () => {
    const { events, moments } = await open();
    moments.send(
      { type: 'agent-speech', call_id: 'call-1', at: instant(20), content: 'We are open' },
      { type: 'partial-transcript', role: 'user', call_id: 'call-1', at: instant(21), content: 'and on' },
    );
    await pass(0);
    expect(lines()).toEqual(['Agentbegins to sayWe are open', 'Callerso farand on']);
    events.send(said(1, 'assistant', 'We are open.', 22));
    await pass(0);
    expect(lines()).toEqual(['0:17AgentWe are open.', 'Callerso farand on']);
  });

  it('drops words that the transcript does not confirm', async () => {
    const { moments } = await open();
    moments.send({ type: 'partial-transcript', role: 'user', call_id: 'call-1', at: instant(21), content: 'hm' });
    moments.send({ type: 'partial-transcript', role: 'user', call_id: 'call-1', at: instant(22), content: '' });
    await pass(0);
    expect(lines()).toEqual(['Callerso farhm']);
    await pass(1_500);
    expect(lines()).toEqual([]);
  });

  it('follows the newest words until the user scrolls back', async () => {
    const { events } = await open();
    const box = log();
    const heights = { scrollHeight: 500, clientHeight: 100 };
    for (const [name, value] of Object.entries(heights))
      Object.defineProperty(box, name, { value, configurable: true });
    events.send(said(1, 'user', 'One.', 9));
    await pass(0);
    expect(box.scrollTop).toBe(500);
    box.scrollTop = 100;
    fireEvent.scroll(box);
    events.send(said(2, 'user', 'Two.', 10));
    await pass(0);
    expect(box.scrollTop).toBe(100);
    press('To the newest');
    expect(box.scrollTop).toBe(500);
    expect(screen.queryByRole('button', { name: 'To the newest' })).toBeNull();
  });
});

describe('the streams of a live call', () => {
  const mark = (): string => textOf(document.querySelector('.connection') ?? document.body);

  it('show the connection, and are opened again one by one', async () => {
    const { events, moments } = await open();
    expect(mark()).toBe('Connecting…');
    events.connect();
    moments.connect();
    await pass(0);
    expect(mark()).toBe('Up to date');
    moments.fail(refusal('too many streams'));
    await pass(0);
    expect(mark()).toBe('Not connected');
    press('Try again');
    await pass(0);
    expect([events.connections.length, moments.connections.length]).toEqual([1, 2]);
  });

  it('drop words that may have changed while the connection was lost', async () => {
    const { moments } = await open();
    moments.connect();
    moments.send({ type: 'agent-speech', call_id: 'call-1', at: instant(20), content: 'We are' });
    await pass(0);
    moments.connect(false);
    moments.connect();
    await pass(0);
    expect(lines()).toEqual(['Agentbegins to sayWe are']);
    await pass(1_500);
    expect(lines()).toEqual([]);
  });

  it('show the state of both sides, and whether a person has taken over', async () => {
    const { moments } = await open();
    moments.send(liveState('call-1', { state: 'speaking', waits_for: null }));
    await pass(0);
    expect(textOf(screen.getByRole('region', { name: 'State' }))).toContain('Agent speaksCaller is quiet');
    expect(screen.getByRole('button', { name: 'Take over' })).toHaveProperty('disabled', false);
    moments.send(liveState('call-1', { is_taken_over: true }));
    await pass(0);
    expect(screen.getByRole('button', { name: 'Take over' })).toHaveProperty('disabled', true);
    expect(screen.getByText('Another person has taken over the call.')).toBeTruthy();
  });
});
