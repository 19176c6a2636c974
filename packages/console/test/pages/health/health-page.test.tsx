// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/dom';
import type { Client, Deployment } from '@va/client';
import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { HealthPage } from '../../../src/app/pages/health/health-page.tsx';
import { formatAge, formatTime } from '../../../src/app/ui/values/format.ts';
import { sampleNode, sampleNodeHealth, sampleTrunk } from '../../support/records.ts';
import { deferred, refusal, type ScriptedClient, sessionWith } from '../../support/session.ts';
import { showPage } from '../../support/show.tsx';
import { cellsOf, press, rowOf, textOf } from '../../support/user.ts';

type Get = Client['health']['get'];
type Health = Awaited<ReturnType<Get>>;
type Session = NonNullable<Parameters<typeof sessionWith>[1]>;

const at = '2026-03-01T12:00:00.000Z';
const healthy: Health = {
  status: 'ok',
  version: '1.2.0',
  timestamp: at,
  checks: { storage: { status: 'ok' }, jobs: { status: 'failed', message: 'The queue is stopped.' } },
};

afterEach(() => void vi.useRealTimers());

function open(client: ScriptedClient = {}, session: Session = { scopes: ['calls:read'] }): void {
  const health = { get: async () => healthy };
  showPage(<HealthPage session={sessionWith({ health, ...client }, session)} />, '#/health');
}

describe('the health of the service', () => {
  it('has the state of each check', async () => {
    open();
    await screen.findByText('storage');
    expect(screen.getAllByRole('listitem').map(textOf)).toEqual([
      'storage Healthy',
      'jobs Failed The queue is stopped.',
    ]);
    expect(screen.getByText('1.2.0')).toBeTruthy();
    expect(screen.getByText(formatTime(at))).toBeTruthy();
  });

  it('is shown although the service is unavailable', async () => {
    open({ health: { get: async () => ({ ...healthy, status: 'unavailable' }) } });
    await screen.findByText('Unavailable');
  });

  it('is checked again on request', async () => {
    const again = deferred<Health>();
    const get = vi.fn<Get>().mockResolvedValueOnce(healthy).mockReturnValueOnce(again.promise);
    open({ health: { get } });
    await screen.findByText('storage');
    press('Check again');
    const button = screen.getByRole('button', { name: 'Check again' });
    await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('true'));
    again.resolve({ ...healthy, status: 'degraded' });
    await screen.findByText('Degraded');
    expect(button.getAttribute('aria-busy')).toBe('false');
  });

  it('is checked every 15 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const get = vi.fn<Get>(async () => healthy);
    open({ health: { get } });
    await screen.findByText('storage');
    void act(() => void vi.advanceTimersByTime(30_000));
    await waitFor(() => expect(get.mock.calls.length).toBeGreaterThan(1));
  });

  it('shows that it cannot be checked', async () => {
    open({ health: { get: () => Promise.reject(new Error('The service could not be reached.')) } });
    expect(textOf(await screen.findByRole('alert'))).toContain('The service could not be reached.');
  });
});

describe('the health of the trunks', () => {
  const scopes = ['calls:read', 'trunks:read'];

  it('is shown for each trunk', async () => {
    const health = { trunk_id: 'trunk-1', state: 'reachable' as const, nodes: [sampleNodeHealth()] };
    const trunks = {
      list: async () => [sampleTrunk(), sampleTrunk({ id: 't2', name: 'Branch', is_active: false })],
      healthOfAll: async () => [health],
    };
    open({ trunks }, { scopes });
    const link = await screen.findByRole('link', { name: 'Office' });
    expect(link.getAttribute('href')).toBe('#/numbers/trunks');
    expect(textOf(link.closest('li') ?? link)).toContain('Reachable');
    expect(textOf(screen.getByText('Branch').closest('li') ?? link)).toBe('BranchInactive');
  });

  it('says that there are none', async () => {
    open({ trunks: { list: async () => [], healthOfAll: async () => [] } }, { scopes });
    await screen.findByText('There is no trunk.');
  });

  it('shows why it cannot be loaded', async () => {
    const trunks = { list: async () => [], healthOfAll: () => Promise.reject(refusal('trunks are unavailable')) };
    open({ trunks }, { scopes });
    expect(textOf(await screen.findByRole('alert'))).toContain('trunks are unavailable');
  });
});

describe('the deployment', () => {
  const operator: Session = { scopes: ['calls:read', 'deployment:read'], isOperator: true };
  const ago = formatAge(at);
  const provider = {
    kind: 'stt',
    provider: 'deepgram',
    circuits: 2,
    open_circuits: 0,
    recent_failures: 0,
    last_failure: null,
  } as const;
  const registration = {
    registrar: 'sip.example.com',
    account: 'office',
    state: 'registered',
    since: at,
    expires_at: null,
    reason: null,
  } as const;

  const openDeployment = (deployment: Deployment): void =>
    open({ nodes: { list: async () => deployment as Awaited<ReturnType<Client['nodes']['list']>> } }, operator);

  it.each([
    ['another user', { scopes: ['*'], isOperator: false }],
    ['an operator without the scope', { scopes: ['calls:read'], isOperator: true }],
  ])('is not shown to %s', async (_, session) => {
    const trunks = { list: async () => [], healthOfAll: async () => [] };
    open({ trunks }, session);
    await screen.findByText('storage');
    expect(screen.queryByRole('heading', { name: 'Nodes' })).toBeNull();
  });

  it('has its nodes', async () => {
    const lost = sampleNode({
      ...{ id: 'n2', name: 'voice-2', version: null, state: 'lost', last_seen_at: null, is_answering: false },
      ...{ calls: 0, max_calls: null, event_loop_lag_ms: null },
    });
    openDeployment({ nodes: [sampleNode(), lost], queues: [] });
    expect(cellsOf(await screen.findByRole('table', { name: 'Nodes' }))).toEqual([
      ['voice-1 answers you', 'Serving', '3 / 50', '12 ms', '1.2.0', ago, ago],
      ['voice-2', 'Lost', '0 / –', '–', '–', ago, '–'],
    ]);
  });

  it('has its queues', async () => {
    const queue = { name: 'webhooks', waiting: 4, oldest_seconds: 119, recent_failures: 2 };
    openDeployment({
      nodes: [sampleNode()],
      queues: [
        queue,
        { ...queue, name: 'mails', oldest_seconds: 180, recent_failures: 0 },
        { ...queue, name: 'erasure', waiting: null, oldest_seconds: null, recent_failures: 0 },
      ],
    });
    expect(cellsOf(await screen.findByRole('table', { name: 'Queues' }))).toEqual([
      ['webhooks', '4', '119 s', '2'],
      ['mails', '4', '3 min', '0'],
      ['erasure', '–', '–', '0'],
    ]);
    expect(rowOf('webhooks').querySelector('.badge.warn')?.textContent).toBe('2');
  });

  it('has the circuits of its providers', async () => {
    const failing = {
      ...provider,
      ...({ kind: 'llm', provider: 'openai', open_circuits: 1, recent_failures: 5 } as const),
      last_failure: { fault: 'timeout', at },
    };
    const unused = { ...provider, kind: 'tts', provider: 'flite', circuits: 0 } as const;
    openDeployment({ nodes: [sampleNode({ providers: [provider, failing, unused] })], queues: [] });
    expect(cellsOf(await screen.findByRole('table', { name: 'Providers' }))).toEqual([
      ['deepgram', 'Speech recognition', 'Closed', '0', '–'],
      ['openai', 'Language model', '1 of 2 open', '5', `timeout, ${ago}`],
      ['flite', 'Voice', 'Not used', '0', '–'],
    ]);
  });

  it('says that no provider is registered, and leaves registrations out', async () => {
    openDeployment({ nodes: [sampleNode()], queues: [] });
    await screen.findByText('No provider is registered.');
    expect(screen.queryByRole('heading', { name: 'SIP registrations' })).toBeNull();
  });

  it('names the node of each row if there are several', async () => {
    const failed = { ...registration, state: 'failed', reason: '403 Forbidden' } as const;
    openDeployment({
      nodes: [
        sampleNode({ providers: [provider], registrations: [registration] }),
        sampleNode({ id: 'n2', name: 'voice-2', registrations: [failed] }),
      ],
      queues: [],
    });
    expect(cellsOf(await screen.findByRole('table', { name: 'SIP registrations' }))).toEqual([
      ['office', 'sip.example.com', `Registered ${ago}`, '–', 'voice-1'],
      ['office', 'sip.example.com', `Failed ${ago}`, '403 Forbidden', 'voice-2'],
    ]);
    expect(cellsOf(screen.getByRole('table', { name: 'Providers' }))[0]?.at(-1)).toBe('voice-1');
  });

  it('shows why it cannot be loaded', async () => {
    open({ nodes: { list: () => Promise.reject(refusal('for operators only')) } }, operator);
    expect(textOf(await screen.findByRole('alert'))).toContain('for operators only');
  });
});
