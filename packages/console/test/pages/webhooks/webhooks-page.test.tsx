// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/dom';
import type { Client, WebhookDelivery } from '@va/client';
import { sampleAgent } from '@va/testkit';
import { describe, expect, it, vi } from 'vitest';
import { WebhooksPage } from '../../../src/app/pages/webhooks/webhooks-page.tsx';
import { formatTime } from '../../../src/app/ui/values/format.ts';
import { sampleDelivery } from '../../support/records.ts';
import { deferred, refusal, sessionWith } from '../../support/session.ts';
import { goTo, showPage } from '../../support/show.tsx';
import { cellsOf, choose, press } from '../../support/user.ts';

type Deliveries = Client['webhookDeliveries'];
type Query = Parameters<Deliveries['list']>[0];

const page = (...deliveries: readonly WebhookDelivery[]) => ({
  deliveries: [...deliveries],
  pagination: { total: deliveries.length, limit: 100, offset: 0 },
});
const listed = (...deliveries: readonly WebhookDelivery[]) => vi.fn(async (_query?: Query) => page(...deliveries));
const agents = {
  list: async () => [
    sampleAgent({ id: 'agent-1', name: 'Reception', webhook_url: 'https://example.com/hooks' }),
    sampleAgent({ id: 'agent-2', name: 'Silent', webhook_url: null }),
  ],
};

function open(methods: Partial<Deliveries>, fragment = '#/webhooks', scopes: readonly string[] = ['*']): void {
  showPage(<WebhooksPage session={sessionWith({ webhookDeliveries: methods, agents }, { scopes })} />, fragment);
}

describe('the list of deliveries', () => {
  it('shows the newest with their status and attempts', async () => {
    const delivered = sampleDelivery({ id: 'd2', status: 'delivered', status_code: 204, attempts: [] });
    open({ list: listed(sampleDelivery(), delivered) }, '#/webhooks', ['webhooks:read']);
    const when = formatTime(delivered.created_at);
    expect(cellsOf(await screen.findByRole('table', { name: 'Webhooks' }))).toEqual([
      [when, 'end-of-call-report', 'https://example.com/hooks', 'Failed 500', '1', ''],
      [when, 'end-of-call-report', 'https://example.com/hooks', 'Delivered 204', '0', ''],
    ]);
    expect(screen.getAllByRole('link')[0]?.getAttribute('href')).toBe('#/webhooks/delivery-1');
  });

  it('is filtered by the status of the URL', async () => {
    const list = listed(sampleDelivery());
    open({ list }, '#/webhooks?status=failed');
    await screen.findByRole('table');
    expect(list.mock.calls).toEqual([[{ limit: 100, status: 'failed' }]]);
    choose(screen.getByRole('combobox', { name: 'Status' }), 'pending');
    expect(location.hash).toBe('#/webhooks?status=pending');
    await waitFor(() => expect(list.mock.lastCall).toEqual([{ limit: 100, status: 'pending' }]));
    choose(screen.getByRole('combobox', { name: 'Status' }), '');
    await waitFor(() => expect(list.mock.lastCall).toEqual([{ limit: 100 }]));
  });

  it('ignores an unknown status of the URL', async () => {
    const list = listed(sampleDelivery());
    open({ list }, '#/webhooks?status=lost');
    await screen.findByRole('table');
    expect(list.mock.calls).toEqual([[{ limit: 100 }]]);
  });

  it('shows a delivery as pending while it is sent again', async () => {
    const sent = deferred();
    const redeliver = vi.fn(() => sent.promise);
    const list = listed(sampleDelivery());
    open({ list, redeliver });
    await screen.findByRole('table');
    press('Redeliver');
    await screen.findByText('Pending 500');
    expect(redeliver.mock.calls).toEqual([['delivery-1']]);
    sent.resolve();
    await screen.findByText('The event is sent again.');
    expect(list).toHaveBeenCalledTimes(2);
  });

  it('shows the old status again if it cannot be sent', async () => {
    open({ list: listed(sampleDelivery()), redeliver: () => Promise.reject(refusal('the agent has no webhook')) });
    await screen.findByRole('table');
    press('Redeliver');
    await screen.findByText('the agent has no webhook');
    expect(screen.getByText('Failed 500')).toBeTruthy();
  });
});

describe('the test of a webhook', () => {
  it('offers agents with a webhook, and reports the answer of the server', async () => {
    const test = vi.fn(async () => ({ success: true as const, status_code: 200, latency_ms: 48, error: null }));
    const list = listed(sampleDelivery());
    open({ list, test: test as unknown as Deliveries['test'] });
    const select = await screen.findByRole('combobox', { name: 'Agent' });
    expect(
      within(select)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Choose an agent with a webhook URL', 'Reception']);
    const button = screen.getByRole('button', { name: 'Send test event' });
    expect(button).toHaveProperty('disabled', true);
    choose(select, 'agent-1');
    press('Send test event');
    await screen.findByText('The server answered 200 after 48 ms.');
    expect(test.mock.calls).toEqual([['agent-1']]);
    await waitFor(() => expect(list).toHaveBeenCalledTimes(2));
  });

  it.each([
    ['the error of the request', { status_code: null, error: 'connection refused' }, 'connection refused'],
    ['a missing answer', { status_code: null, error: null }, 'null'],
  ])('reports %s', async (_, answer, reason) => {
    const test = async () => ({ success: true as const, latency_ms: 1, ...answer });
    open({ list: listed(sampleDelivery()), test: test as unknown as Deliveries['test'] });
    choose(await screen.findByRole('combobox', { name: 'Agent' }), 'agent-1');
    press('Send test event');
    await screen.findByText(`The server did not accept the event: ${reason}`);
  });

  it('is not offered without an agent with a webhook, or without the scopes', async () => {
    open({ list: listed(sampleDelivery()) }, '#/webhooks', ['webhooks:read', 'webhooks:write']);
    await screen.findByRole('table');
    expect(screen.queryByRole('group', { name: /Test an agent/ })).toBeNull();
  });
});

describe('a delivery', () => {
  it('shows its attempts, its payload and its call', async () => {
    const attempts = [
      { at: '2026-03-01T12:00:00.000Z', status_code: null, latency_ms: 10_000, error: 'timeout' },
      { at: '2026-03-01T12:01:00.000Z', status_code: 500, latency_ms: 120, error: null },
    ];
    const list = listed(sampleDelivery({ id: 'other' }), sampleDelivery({ attempts }));
    open({ list }, '#/webhooks/delivery-1');
    const table = await screen.findByRole('table', { name: 'Attempts' });
    expect(cellsOf(table)).toEqual([
      [formatTime(attempts[0]?.at ?? null), '–', '10.0 s', 'timeout'],
      [formatTime(attempts[1]?.at ?? null), '500', '120 ms', '–'],
    ]);
    expect(list.mock.calls).toEqual([[{ limit: 1_000 }]]);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('end-of-call-report');
    expect(screen.getByRole('link', { name: 'Open the call' }).getAttribute('href')).toBe('#/calls/call-1');
    expect(document.querySelector('pre')?.textContent).toBe(JSON.stringify(sampleDelivery().payload, null, 2));
  });

  it('is pending while it is sent again', async () => {
    const sent = deferred();
    open({ list: listed(sampleDelivery()), redeliver: () => sent.promise }, '#/webhooks/delivery-1');
    await screen.findByRole('table');
    press('Redeliver');
    await screen.findByText('Pending 500');
    sent.resolve();
    await screen.findByText('Failed 500');
  });

  it('says that it is not among the newest', async () => {
    open({ list: listed(sampleDelivery()) }, '#/webhooks/gone');
    await screen.findByRole('heading', { name: 'This delivery is not among the newest 1,000.' });
    expect(screen.getByRole('link', { name: 'All deliveries' }).getAttribute('href')).toBe('#/webhooks');
  });

  it('shows why it cannot be loaded', async () => {
    open({ list: () => Promise.reject(refusal('forbidden')) }, '#/webhooks/delivery-1');
    expect((await screen.findByRole('alert')).textContent).toContain('forbidden');
  });

  it('is replaced by another one of the URL', async () => {
    open({ list: listed(sampleDelivery(), sampleDelivery({ id: 'd2', event: 'status-update' })) }, '#/webhooks/d2');
    await screen.findByRole('heading', { name: /^status-update/ });
    goTo('#/webhooks/delivery-1');
    await screen.findByRole('heading', { name: /^end-of-call-report/ });
  });

  it('cannot be sent again without the scope, and has no link without a call', async () => {
    open({ list: listed(sampleDelivery({ call_id: null })) }, '#/webhooks/delivery-1', ['webhooks:read']);
    await screen.findByRole('table');
    expect(screen.queryByRole('button', { name: 'Redeliver' })).toBeNull();
    expect(screen.queryByRole('link', { name: 'Open the call' })).toBeNull();
  });
});
