// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import type { Client } from '@va/client';
import { describe, expect, it, vi } from 'vitest';
import { TalkPanel } from '../../../src/app/pages/agents/talk/talk-panel.tsx';
import { type ScriptedWebCall, scriptWebCalls } from '../../support/scripted-web-calls.ts';
import { deferred, refusal, sessionWith } from '../../support/session.ts';
import { settle, showPage } from '../../support/show.tsx';
import { press, textOf, type } from '../../support/user.ts';

type Create = Client['calls']['createWebCall'];
type Grant = Awaited<ReturnType<Create>>;
const grant = { url: 'wss://example.com/calls', token: 'token-1', call_id: 'call-9' } as Grant;

function showPanel(createWebCall: Create, { scopes = ['*'], hasChanges = false } = {}) {
  const session = sessionWith({ calls: { createWebCall } }, { scopes });
  return showPage(<TalkPanel session={session} agentId="agent-1" hasChanges={hasChanges} />);
}

const panel = () => within(screen.getByRole('complementary', { name: 'Talk to it' }));
const state = (): string => textOf(panel().getByRole('status'));
const lines = (): readonly string[] => panel().getAllByRole('listitem').map(textOf);

/** Starts a call that connects. */
async function talk(calls: readonly ScriptedWebCall[]): Promise<ScriptedWebCall> {
  press('Start a call');
  return await waitFor(() => {
    const [call] = calls;
    if (call === undefined) throw new Error('The page has not started a call.');
    return call;
  });
}

describe('a call with the agent', () => {
  it('shows its state', async () => {
    const calls = scriptWebCalls();
    const create = vi.fn<Create>(async () => grant);
    showPanel(create);
    expect(state()).toBe('Not in a call');
    const call = await talk(calls);
    expect(state()).toBe('Connecting');
    expect(create.mock.calls).toEqual([[{ agent_id: 'agent-1' }]]);
    for (const [sent, words] of [
      ['listening', 'Listening'],
      ['thinking', 'Thinking'],
      ['speaking', 'Speaking'],
      ['reconnecting', 'Reconnecting'],
    ] as const) {
      call.emit('state', { state: sent });
      expect(state()).toBe(words);
    }
  });

  it('shows the words of both sides, and replaces interim ones', async () => {
    const calls = scriptWebCalls();
    showPanel(async () => grant);
    const call = await talk(calls);
    expect(lines()).toEqual(['The conversation is shown here.']);
    const words = { interrupted: false, final: false };
    call.emit('transcript', { ...words, role: 'user', text: 'A ta' });
    call.emit('transcript', { ...words, role: 'assistant', text: 'For how many?' });
    call.emit('transcript', { ...words, role: 'user', text: 'A table.', final: true });
    call.emit('tool', { id: 't', name: 'find_table', status: 'started' });
    call.emit('transcript', { role: 'assistant', text: 'For how', final: true, interrupted: true });
    call.emit('transcript', { ...words, role: 'user', text: 'Two.' });
    expect(lines()).toEqual(['YouA table.', 'AgentFor howinterrupted', 'Tool find_table: started', 'YouTwo.']);
  });

  it('shows the latency of the last reply', async () => {
    const calls = scriptWebCalls();
    showPanel(async () => grant);
    const call = await talk(calls);
    call.emit('latency', { total_ms: 730 } as never);
    expect(panel().getByText('Reply after 730 ms')).toBeTruthy();
  });

  it('mutes the microphone, sends written words, and hangs up', async () => {
    const calls = scriptWebCalls();
    showPanel(async () => grant);
    const call = await talk(calls);
    press('Mute');
    press('Unmute');
    const field = panel().getByRole('textbox', { name: 'Say it in writing' });
    type(field, '  For two. ');
    press('Send');
    expect(field).toHaveProperty('value', '');
    type(field, '   ');
    fireEvent.submit(field.closest('form') as HTMLFormElement);
    press('End the call');
    expect(call.sent).toEqual(['mute', 'unmute', 'For two.', 'hang up']);
  });

  it('says why it ended, and links its record', async () => {
    const calls = scriptWebCalls();
    showPanel(async () => grant);
    const call = await talk(calls);
    call.emit('ended', { reason: 'agent_hangup', error: null });
    expect(state()).toBe('Ended');
    expect(panel().getByText(/^Ended: agent_hangup/)).toBeTruthy();
    expect(panel().getByRole('link', { name: 'Open the call' }).getAttribute('href')).toBe('#/calls/call-9');
    expect(panel().getByRole('button', { name: 'Start a call' })).toBeTruthy();
  });

  it('does not link a record that the session may not read', async () => {
    const calls = scriptWebCalls();
    showPanel(async () => grant, { scopes: ['calls:write'] });
    const call = await talk(calls);
    call.emit('ended', { reason: 'agent_hangup', error: null });
    expect(panel().queryByRole('link')).toBeNull();
  });

  it('shows a failed device, and goes on', async () => {
    const calls = scriptWebCalls();
    showPanel(async () => grant);
    const call = await talk(calls);
    call.emit('state', { state: 'listening' });
    call.emit('device-error', Object.assign(new Error('The microphone was removed.')) as never);
    expect(textOf(panel().getByRole('alert'))).toBe('The microphone was removed.');
    expect(state()).toBe('Listening');
  });

  it('says that the browser plays no sound before a click', async () => {
    const calls = scriptWebCalls();
    showPanel(async () => grant);
    const call = await talk(calls);
    call.emit('suspended', { state: 'connecting' });
    expect(panel().getByText(/^Click anywhere/)).toBeTruthy();
    call.emit('state', { state: 'listening' });
    expect(panel().queryByText(/^Click anywhere/)).toBeNull();
  });

  it('starts without the lines of the call before', async () => {
    const calls = scriptWebCalls();
    showPanel(async () => grant);
    const call = await talk(calls);
    call.emit('transcript', { role: 'user', text: 'Hello.', final: true, interrupted: false });
    call.emit('ended', { reason: 'user_hangup', error: null });
    press('Start a call');
    expect(lines()).toEqual(['The conversation is shown here.']);
    expect(panel().queryByText(/^Ended:/)).toBeNull();
  });
});

describe('a call that cannot start', () => {
  it.each([
    ['a refusal', refusal('too many calls'), 'too many calls'],
    ['a missing microphone', new Error('The page may not use the microphone.'), 'The page may not use the microphone.'],
  ])('shows %s', async (_, error, words) => {
    scriptWebCalls();
    showPanel(() => Promise.reject(error));
    press('Start a call');
    expect(textOf(await panel().findByRole('alert'))).toContain(words);
    expect(panel().getByRole('button', { name: 'Start a call' })).toHaveProperty('disabled', false);
  });

  it('says that the deployment takes no web calls', async () => {
    showPanel(() => Promise.reject(refusal('not configured', { status: 503 })));
    press('Start a call');
    await panel().findByText(/^This deployment takes no web calls/);
    expect(panel().queryByRole('alert')).toBeNull();
    expect(panel().getByRole('button', { name: 'Start a call' })).toHaveProperty('disabled', true);
  });

  it('says which scope is missing', () => {
    showPanel(async () => grant, { scopes: ['agents:read'], hasChanges: true });
    expect(panel().getByText(/scope calls:write/)).toBeTruthy();
    expect(panel().getByRole('button', { name: 'Start a call' })).toHaveProperty('disabled', true);
    expect(panel().queryByText(/^The call uses the saved agent/)).toBeNull();
  });

  it('says that calls use the saved agent while there are unsaved changes', () => {
    showPanel(async () => grant, { hasChanges: true });
    expect(panel().getByText(/^The call uses the saved agent/)).toBeTruthy();
  });
});

describe('a call whose page is left', () => {
  it('is hung up', async () => {
    const calls = scriptWebCalls();
    const { unmount } = showPanel(async () => grant);
    const call = await talk(calls);
    unmount();
    expect(call.sent).toEqual(['hang up']);
  });

  it('does not open the microphone later', async () => {
    const calls = scriptWebCalls();
    const granted = deferred<Grant>();
    const { unmount } = showPanel(() => granted.promise);
    press('Start a call');
    unmount();
    granted.resolve(grant);
    await settle();
    expect(calls).toEqual([]);
  });
});
