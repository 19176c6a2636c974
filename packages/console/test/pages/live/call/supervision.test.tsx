// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/dom';
import type { Client } from '@va/client';
import { describe, expect, it, vi } from 'vitest';
import { SupervisionPanel } from '../../../../src/app/pages/live/call/supervision/supervision-panel.tsx';
import { type ScriptedWebCall, scriptWebCalls } from '../../../support/scripted-web-calls.ts';
import { deferred, refusal, sessionWith } from '../../../support/session.ts';
import { settle, showPage } from '../../../support/show.tsx';
import { dialog, press, textOf } from '../../../support/user.ts';

type Grant = Awaited<ReturnType<Client['calls']['listen']>>;
const grant = { url: 'wss://example.com/calls', token: 'token-1' } as Grant;

function showPanel(calls: Partial<Client['calls']>, scopes: readonly string[] = ['*'], isTakenOver = false) {
  const session = sessionWith({ calls }, { scopes });
  return showPage(<SupervisionPanel session={session} callId="call-1" isTakenOver={isTakenOver} />);
}

const status = (): string => textOf(document.querySelector('.supervision [role="status"]') ?? document.body);
const buttons = (): readonly string[] =>
  [...document.querySelectorAll('.supervision .actions button')].map((button) => textOf(button));

async function joined(calls: readonly ScriptedWebCall[]): Promise<ScriptedWebCall> {
  return await waitFor(() => {
    const last = calls.at(-1);
    if (last === undefined) throw new Error('The page has not joined the call.');
    return last;
  });
}

/** Takes the call over, and confirms that. */
async function takeOver(calls: readonly ScriptedWebCall[]): Promise<ScriptedWebCall> {
  press('Take over');
  press('Take over', dialog('Take over this call?'));
  return await joined(calls);
}

describe('listening to a call', () => {
  it('needs no scope to write', () => {
    showPanel({}, ['calls:read']);
    expect([status(), buttons()]).toEqual(['You do not hear the call.', ['Listen in']]);
  });

  it('connects, reports the connection, and stops', async () => {
    const calls = scriptWebCalls();
    const listen = vi.fn<Client['calls']['listen']>(async () => grant);
    showPanel({ listen });
    press('Listen in');
    expect([status(), buttons()]).toEqual(['Connecting…', ['Stop listening', 'Take over']]);
    const call = await joined(calls);
    expect(listen.mock.calls).toEqual([['call-1']]);
    call.emit('state', { state: 'listening' });
    expect(status()).toBe('You hear both sides. Nobody hears you.');
    call.emit('state', { state: 'reconnecting' });
    expect(status()).toBe('The connection was lost. Reconnecting…');
    press('Stop listening');
    expect([status(), call.sent]).toEqual(['You do not hear the call.', ['hang up']]);
  });

  it('says that the browser plays no sound before a click', async () => {
    const calls = scriptWebCalls();
    showPanel({ listen: async () => grant });
    press('Listen in');
    const call = await joined(calls);
    call.emit('suspended', { state: 'connecting' });
    expect(screen.getByText(/^The browser plays no sound yet/)).toBeTruthy();
    call.emit('state', { state: 'listening' });
    expect(screen.queryByText(/^The browser plays no sound yet/)).toBeNull();
  });

  it('shows a refusal of the service', async () => {
    scriptWebCalls();
    showPanel({ listen: () => Promise.reject(refusal('the call has ended')) });
    press('Listen in');
    expect(textOf(await screen.findByRole('alert'))).toContain('the call has ended');
    expect(status()).toBe('You do not hear the call.');
  });

  it('shows that the loudspeaker cannot be opened', async () => {
    scriptWebCalls(() => Promise.reject(new Error('no device')));
    showPanel({ listen: async () => grant });
    press('Listen in');
    expect(textOf(await screen.findByRole('alert'))).toContain('no device');
  });

  it('does not connect when the page is left while it waits for the grant', async () => {
    const calls = scriptWebCalls();
    const granted = deferred<Grant>();
    const { unmount } = showPanel({ listen: () => granted.promise });
    press('Listen in');
    unmount();
    granted.resolve(grant);
    await settle();
    expect(calls).toEqual([]);
  });

  it('hangs up when the page is left', async () => {
    const calls = scriptWebCalls();
    const { unmount } = showPanel({ listen: async () => grant });
    press('Listen in');
    const call = await joined(calls);
    unmount();
    expect(call.sent).toEqual(['hang up']);
  });

  it('ignores events of a connection that was left', async () => {
    const calls = scriptWebCalls();
    showPanel({ listen: async () => grant });
    press('Listen in');
    const call = await joined(calls);
    press('Stop listening');
    call.emit('state', { state: 'listening' });
    call.emit('ended', { reason: 'declined', error: null });
    expect(status()).toBe('You do not hear the call.');
    expect(screen.queryByText(/did not let you join/)).toBeNull();
  });
});

describe('taking a call over', () => {
  it('asks for a confirmation first', async () => {
    const takeOverCall = vi.fn<Client['calls']['takeOver']>(async () => grant);
    scriptWebCalls();
    showPanel({ takeOver: takeOverCall });
    press('Take over');
    press('Cancel', dialog('Take over this call?'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(takeOverCall).not.toHaveBeenCalled();
  });

  it('mutes the user, and hands the call back', async () => {
    const calls = scriptWebCalls();
    showPanel({ takeOver: async () => grant });
    const call = await takeOver(calls);
    call.emit('state', { state: 'listening' });
    expect([status(), buttons()]).toEqual(['You speak with the caller.', ['Hand back', 'Mute yourself']]);
    press('Mute yourself');
    expect([status(), buttons()[1]]).toEqual(['You hear the caller, who does not hear you.', 'Unmute yourself']);
    press('Unmute yourself');
    press('Hand back');
    expect(call.sent).toEqual(['mute', 'unmute', 'hang up']);
    expect(buttons()).toEqual(['Listen in', 'Take over']);
  });

  it('replaces listening', async () => {
    const calls = scriptWebCalls();
    showPanel({ listen: async () => grant, takeOver: async () => grant });
    press('Listen in');
    const listening = await joined(calls);
    press('Take over');
    press('Take over', dialog('Take over this call?'));
    await waitFor(() => expect(calls).toHaveLength(2));
    expect(listening.sent).toEqual(['hang up']);
    expect(buttons()[0]).toBe('Hand back');
  });

  it('says that the service did not allow it', async () => {
    const calls = scriptWebCalls();
    showPanel({ takeOver: async () => grant });
    const call = await takeOver(calls);
    call.emit('ended', { reason: 'declined', error: null });
    expect(screen.getByText(/^The service did not let you join/)).toBeTruthy();
    expect(buttons()).toEqual(['Listen in', 'Take over']);
  });

  it('is not possible while another person has taken the call over', () => {
    showPanel({}, ['*'], true);
    expect(status()).toBe('Another person has taken over the call.');
    expect(screen.getByRole('button', { name: 'Take over' })).toHaveProperty('disabled', true);
  });
});
