// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import type { Call, CallEvent } from '@va/client';
import { sampleCall } from '@va/testkit';
import { describe, expect, it, vi } from 'vitest';
import { CallPage } from '../../../src/app/pages/call/call-page.tsx';
import { formatTime } from '../../../src/app/ui/values/format.ts';
import { sampleDelivery } from '../../support/records.ts';
import { ScriptedStream } from '../../support/scripted-stream.ts';
import { deferred, refusal, type ScriptedClient, sessionWith } from '../../support/session.ts';
import { showPage } from '../../support/show.tsx';
import { cellsOf, dialog, factsOf, press, textOf } from '../../support/user.ts';

const at = '2026-03-01T12:00:00.000Z';
const second = (n: number): string => new Date(Date.parse(at) + n * 1_000).toISOString();
const call = sampleCall({
  id: 'call-1',
  status: 'ended',
  end_reason: 'user_hangup',
  agent_id: 'agent-1',
  agent_name: 'Reception',
  started_at: at,
  answered_at: at,
  created_at: at,
  duration_seconds: 65,
});

function event<Type extends CallEvent['type']>(
  id: number,
  type: Type,
  data: Extract<CallEvent, { type: Type }>['data'],
  seconds = 0,
): CallEvent {
  return { id: String(id), type, call_id: call.id, at: second(seconds), data } as CallEvent;
}

interface Opened {
  readonly events: ScriptedStream<CallEvent>;
  readonly get: ReturnType<typeof vi.fn<() => Promise<Call>>>;
  readonly onErased: () => void;
}

async function open(
  shown: Call,
  client: ScriptedClient = {},
  scopes: readonly string[] = ['calls:read'],
): Promise<Opened> {
  const events = new ScriptedStream<CallEvent>();
  const get = vi.fn(async () => shown);
  const onErased = vi.fn();
  const calls = { get, events: (_id: string, options?: object) => events.open(options), ...client.calls };
  const session = sessionWith({ ...client, calls }, { scopes });
  showPage(<CallPage session={session} id={shown.id} onErased={onErased} />, `#/calls/${shown.id}`);
  await screen.findByRole('heading', { level: 1, name: /^Call with/ });
  return { events, get, onErased };
}

const facts = (): Readonly<Record<string, string>> => {
  const list = document.querySelector('.call-facts');
  return list === null ? {} : factsOf(list);
};

describe('the record of a call', () => {
  it('has its parties and its end', async () => {
    await open(call);
    expect(textOf(screen.getByRole('heading', { level: 1 }))).toBe('Call with +31612345678 Caller hung up');
    expect(facts()).toEqual({
      Number: '+31201234567',
      Direction: 'Inbound',
      Agent: 'Reception',
      Started: formatTime(at),
      Duration: '1:05',
    });
    expect(screen.getByRole('link', { name: 'Reception' }).getAttribute('href')).toBe('#/agents/agent-1');
    expect(screen.getByText('There is no recording of this call.')).toBeTruthy();
  });

  it('has the number of the service, the campaign, the cost and the transfer of an outbound call', async () => {
    await open({
      ...call,
      direction: 'outbound',
      agent_id: null,
      campaign_id: 'campaign-1',
      cost: 0.42,
      transfer_destination: '+31209999999',
    });
    expect(facts()).toMatchObject({
      Number: call.assistant_phone,
      Direction: 'Outbound',
      Agent: 'Reception',
      Campaign: 'Open the campaign',
      Cost: '0.42',
      'Transferred to': '+31209999999',
    });
    expect(screen.getByRole('link', { name: 'Open the campaign' }).getAttribute('href')).toBe('#/campaigns/campaign-1');
  });

  it('shows its error, and that its content was erased', async () => {
    await open({ ...call, error: 'The model failed three times.', erased_at: at });
    expect(screen.getByText('The model failed three times.')).toBeTruthy();
    expect(screen.getByText(new RegExp(`were erased on ${formatTime(at)}`))).toBeTruthy();
  });

  it('shows why it cannot be loaded', async () => {
    const get = vi.fn<() => Promise<Call>>().mockRejectedValueOnce(refusal('There is no such call.'));
    get.mockResolvedValue(call);
    const events = new ScriptedStream<CallEvent>();
    const calls = { get, events: (_id: string, options?: object) => events.open(options) };
    showPage(<CallPage session={sessionWith({ calls }, { scopes: [] })} id="call-1" onErased={() => {}} />);
    expect(textOf(await screen.findByRole('alert'))).toContain('There is no such call.');
    press('Try again');
    await screen.findByRole('heading', { name: /^Call with/ });
  });

  it('is loaded again after the last event of a live call', async () => {
    const { events, get } = await open({ ...call, status: 'in-progress', end_reason: null });
    get.mockResolvedValue(call);
    events.send(event(1, 'transcript', { role: 'user', content: 'Bye.' }));
    events.end();
    await screen.findByText('Caller hung up');
    expect(get).toHaveBeenCalledTimes(2);
  });
});

describe('the timeline of a call', () => {
  const words = event(1, 'transcript', { role: 'user', content: 'A table, please.' }, 3);
  const latency = {
    total_ms: 820,
    endpointing_ms: 300,
    stt_final_ms: 120,
    first_audio_ms: 790,
    llm_first_token_ms: 310,
    tts_first_byte_ms: 150,
  };

  it('has words, tools, latencies and notes in order', async () => {
    const { events } = await open(call);
    events.send(
      words,
      event(2, 'tool-call', { id: 'a', name: 'find_table', arguments: { size: 2 } }, 3),
      event(3, 'tool-result', { id: 'a', name: 'find_table', ok: false, error: 'The diary is down.' }, 4),
      event(4, 'latency', latency, 5),
      event(5, 'transcript', { role: 'assistant', content: 'One moment', interrupted: true, unheard: 'please.' }, 6),
      event(6, 'dtmf', { digit: '5', durationMs: 100 }, 7),
    );
    events.end();
    await screen.findByText('Keypad: 5');
    const items = [...document.querySelectorAll('.timeline > li')].map(textOf);
    expect(items[0]).toBe('Caller0:00A table, please.');
    expect(items[1]).toContain('find_table failed');
    expect(items[1]).toContain('The diary is down.');
    expect(items[2]).toContain('Reply after 820 ms');
    expect(items[3]).toBe('Agent0:03One moment(Not heard:) please. interrupted by the caller');
  });

  it('shows a tool that never answered', async () => {
    const { events } = await open(call);
    events.send(words, event(2, 'tool-call', { id: 'a', name: 'find_table', arguments: 'not json' }));
    events.end();
    await screen.findByText('no answer');
    expect(screen.getByText('not json')).toBeTruthy();
  });

  it('lays the stages of a reply out on one axis', async () => {
    const { events } = await open(call);
    events.send(words, event(2, 'latency', latency));
    events.end();
    const list = await screen.findByRole('list', { name: 'Parts of the latency of this reply' });
    const stages = within(list).getAllByRole('listitem');
    expect(stages.map(textOf)).toEqual([
      'Words final120 ms',
      'Endpointing300 ms',
      'First token610 ms',
      'First voice byte790 ms',
      'First audio820 ms',
    ]);
    const bars = stages.map((stage) => stage.querySelector<HTMLElement>('.bar')?.style.left);
    expect(bars[0]).toBe('0%');
    expect(Number.parseFloat(bars[4] ?? '')).toBeCloseTo((790 / 820) * 100);
  });

  it('has the stored messages if the events were erased', async () => {
    const { events } = await open({ ...call, messages: [{ role: 'user', content: 'Hello.' }] });
    events.end();
    await screen.findByText('Hello.');
  });

  it('says that nothing was said, and why the events cannot be read', async () => {
    const { events } = await open(call);
    events.fail(refusal('events are unavailable'));
    expect(textOf(await screen.findByRole('alert'))).toContain('events are unavailable');
    expect(screen.getByText('Nothing was said.')).toBeTruthy();
  });
});

describe('the details of a call', () => {
  const section = (title: string): HTMLElement => {
    const found = screen.getByRole('heading', { level: 2, name: title }).closest('section');
    if (found === null) throw new Error(`${title} has no section.`);
    return found;
  };

  it('are left out where there are none', async () => {
    await open(call);
    for (const title of ['Analysis', 'Latency', 'Cost', 'Media quality', 'Variables', 'Metadata', 'Webhooks']) {
      expect(screen.queryByRole('heading', { level: 2, name: title })).toBeNull();
    }
  });

  it('have the analysis', async () => {
    await open({
      ...call,
      analysis_status: 'completed',
      summary: 'Anna booked a table.',
      analysis_result: { name: 'Anna' },
    });
    expect(textOf(section('Analysis'))).toBe('AnalysisAnna booked a table.{ "name": "Anna" }');
  });

  it.each([
    ['pending', null, 'The call is being analysed.'],
    ['failed', 'The model failed.', 'The analysis failed. The model failed.'],
  ] as const)('say that the analysis is %s', async (analysis_status, analysis_error, words) => {
    await open({ ...call, analysis_status, analysis_error });
    expect(textOf(section('Analysis'))).toBe(`Analysis${words}`);
  });

  it('have the latency and the interruptions', async () => {
    const latency = { turns: [], total_ms: { p50: 640, p95: 1_300 }, interruptions_ms: [180, 240] };
    await open({ ...call, latency });
    expect(factsOf(section('Latency'))).toEqual({
      Median: '640 ms',
      '95th percentile': '1.3 s',
      'Barge-in': '180 ms, 240 ms',
    });
  });

  it('have the cost', async () => {
    const item = { provider: 'deepgram', model: 'nova-3', kind: 'stt_seconds', quantity: 65, unit: 'second' } as const;
    await open({ ...call, cost_breakdown: [{ ...item, price: null, is_estimate: true, own_key: false }] });
    expect(cellsOf(screen.getByRole('table', { name: 'Cost' }))).toEqual([
      ['deepgram nova-3', 'STT seconds estimate', '65 second', '–'],
    ]);
  });

  it('have the quality of the media, as far as the other side reports it', async () => {
    const received = { packets: 3_000, packets_lost: 4, packets_dropped: 2, jitter_ms: 3 };
    await open({
      ...call,
      media: { received, sent: { packets: 2_900, packets_lost: null, jitter_ms: null }, round_trip_ms: null },
      variables: { name: 'Anna' },
      metadata: { order: 7 },
    });
    expect(factsOf(section('Media quality'))).toEqual({
      'From the caller': `${(3_000).toLocaleString()} packets · 4 lost · 2 dropped · jitter 3 ms`,
      'To the caller': `${(2_900).toLocaleString()} packets`,
      'Round trip': '–',
    });
    expect(textOf(section('Variables'))).toBe('Variables{ "name": "Anna" }');
    expect(textOf(section('Metadata'))).toBe('Metadata{ "order": 7 }');
  });
});

describe('the webhooks of a call', () => {
  const scopes = ['calls:read', 'webhooks:read', 'webhooks:write'];
  const page = { deliveries: [sampleDelivery()], pagination: { total: 1, limit: 100, offset: 0 } };

  it('show their attempts and payload, and can be sent again', async () => {
    const sent = deferred();
    const list = vi.fn(async (_query?: object) => page);
    const redeliver = vi.fn(() => sent.promise);
    await open(call, { webhookDeliveries: { list, redeliver } }, scopes);
    await screen.findByText('end-of-call-report', { selector: 'code' });
    expect(list.mock.calls[0]?.[0]).toEqual({ call_id: 'call-1', limit: 100 });
    expect(screen.getByText('1 attempt')).toBeTruthy();
    expect(screen.getByText(`${formatTime(at)} · 500 · 120 ms · The server answered 500.`)).toBeTruthy();
    fireEvent.click(screen.getByText('Redeliver'));
    expect(screen.getByText('Redeliver').getAttribute('aria-busy')).toBe('true');
    sent.resolve();
    expect(await screen.findByText('Queued again.')).toHaveProperty('disabled', true);
    expect(redeliver.mock.calls).toEqual([['delivery-1']]);
  });

  it('show that one cannot be sent again', async () => {
    const redeliver = () => Promise.reject(refusal('the agent has no webhook'));
    await open(call, { webhookDeliveries: { list: async () => page, redeliver } }, scopes);
    fireEvent.click(await screen.findByText('Redeliver'));
    await screen.findByText('the agent has no webhook');
    expect(screen.getByText('Redeliver')).toHaveProperty('disabled', false);
  });

  it('are none', async () => {
    const list = async () => ({ ...page, deliveries: [] });
    await open(call, { webhookDeliveries: { list } }, scopes);
    await screen.findByText('No webhook was sent for this call.');
  });
});

describe('erasing a call', () => {
  const scopes = ['calls:read', 'calls:write'];

  it('asks, then goes to a new list', async () => {
    const erase = vi.fn(async () => {});
    const { onErased } = await open(call, { calls: { delete: erase } }, scopes);
    press('Erase');
    press('Cancel', dialog('Erase this call?'));
    expect(screen.queryByRole('dialog')).toBeNull();
    press('Erase');
    press('Erase the call');
    await waitFor(() => expect(location.hash).toBe('#/calls'));
    expect(erase.mock.calls).toEqual([['call-1']]);
    expect(onErased).toHaveBeenCalledTimes(1);
  });

  it('shows a refusal in the dialog', async () => {
    const { onErased } = await open(call, { calls: { delete: () => Promise.reject(refusal('not now')) } }, scopes);
    press('Erase');
    press('Erase the call');
    expect(textOf(await screen.findByRole('alert'))).toContain('not now');
    expect(onErased).not.toHaveBeenCalled();
  });

  it('is not possible while the call goes on', async () => {
    await open({ ...call, status: 'in-progress', end_reason: null }, {}, scopes);
    const button = screen.getByRole('button', { name: 'Erase' });
    expect([button.hasAttribute('disabled'), button.title]).toEqual([true, 'A call in progress cannot be erased.']);
  });
});
