// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/dom';
import type { NewControlCommand } from '@va/client';
import { useReducer } from 'preact/hooks';
import { describe, expect, it, vi } from 'vitest';
import { ActionPanel } from '../../../../src/app/pages/live/call/actions/action-panel.tsx';
import { changeView, emptyView } from '../../../../src/app/pages/live/call/call-view.ts';
import { Transcript } from '../../../../src/app/pages/live/call/transcript.tsx';
import { useCommands } from '../../../../src/app/pages/live/call/use-commands.ts';
import { deferred, refusal, sessionWith } from '../../../support/session.ts';
import { settle, showPage } from '../../../support/show.tsx';
import { dialog, press, textOf, type } from '../../../support/user.ts';

type Control = (id: string, command: NewControlCommand) => Promise<unknown>;

/** Shows the actions of a call with its transcript, and answers the commands by `control`. */
function showActions(control: Control, isMuted = false) {
  const { client } = sessionWith({ calls: { control: control as never } });
  const Host = (props: { readonly isMuted: boolean }) => {
    const [view, apply] = useReducer(changeView, emptyView);
    const run = useCommands(client, 'call-1', apply);
    return (
      <>
        <Transcript view={view} startedAt={new Date().toISOString()} />
        <ActionPanel run={run} isMuted={props.isMuted} isAnswered />
      </>
    );
  };
  return showPage(<Host isMuted={isMuted} />);
}

const accepted = () => vi.fn<Control>(async () => ({ success: true }));
const commands = (): readonly string[] => [...document.querySelectorAll('li.command .line-body')].map(textOf);
const field = (name: string): HTMLElement => screen.getByRole('textbox', { name });

describe('a command to a live call', () => {
  it('is in the transcript while it is sent, and with its result', async () => {
    const sent = deferred<unknown>();
    const control = vi.fn<Control>(() => sent.promise);
    showActions(control);
    type(field('The agent says'), ' One moment. ');
    press('Say', document.querySelector('form') as HTMLElement);
    await waitFor(() => expect(commands()).toEqual(['YousendingSay: One moment.']));
    expect(control.mock.calls).toEqual([['call-1', { type: 'say', content: 'One moment.', end_after: false }]]);
    sent.resolve({});
    await waitFor(() => expect(commands()).toEqual(['YoudoneSay: One moment.']));
    expect(field('The agent says')).toHaveProperty('value', '');
  });

  it('that is refused shows its error, and restores the text', async () => {
    showActions(() => Promise.reject(refusal('the call is being transferred')));
    type(field('The agent says'), 'One moment.');
    press('Say', document.querySelector('form') as HTMLElement);
    await waitFor(() =>
      expect(commands()).toEqual(['YoufailedSay: One moment.the call is being transferredRequest req-1']),
    );
    await waitFor(() => expect(field('The agent says')).toHaveProperty('value', 'One moment.'));
  });

  it('that is refused does not replace what is typed meanwhile', async () => {
    const sent = deferred<unknown>();
    showActions(() => sent.promise);
    type(field('The agent says'), 'First.');
    press('Say', document.querySelector('form') as HTMLElement);
    type(field('The agent says'), 'Second.');
    sent.reject('offline');
    await waitFor(() => expect(commands()).toEqual(['YoufailedSay: First.offline']));
    await settle();
    expect(field('The agent says')).toHaveProperty('value', 'Second.');
  });

  it('is not sent again while it is being sent', async () => {
    const control = vi.fn<Control>(() => new Promise(() => {}));
    showActions(control);
    type(field('The agent says'), 'Hello.');
    const form = document.querySelector('form') as HTMLFormElement;
    fireEvent.submit(form);
    type(field('The agent says'), 'Hello again.');
    fireEvent.submit(form);
    expect(control).toHaveBeenCalledTimes(1);
  });

  it.each(['', '   '])('is not sent for the text "%s"', (text) => {
    const control = accepted();
    showActions(control);
    type(field('The agent says'), text);
    fireEvent.submit(document.querySelector('form') as HTMLFormElement);
    expect(control).not.toHaveBeenCalled();
  });

  it.each([
    [{ ctrlKey: true }, 1],
    [{ metaKey: true }, 1],
    [{}, 0],
  ])('is sent by Enter with %j: %i times', (modifiers, times) => {
    const control = accepted();
    showActions(control);
    type(field('The agent says'), 'Hello.');
    fireEvent.keyDown(field('The agent says'), { key: 'Enter', ...modifiers });
    expect(control).toHaveBeenCalledTimes(times);
  });
});

describe('the actions of a live call', () => {
  const option = (name: string): HTMLElement => screen.getByRole('checkbox', { name });

  it('say something, and end the call after it', async () => {
    const control = accepted();
    showActions(control);
    fireEvent.click(option('End the call after it'));
    type(field('The agent says'), 'Goodbye.');
    fireEvent.submit(document.querySelector('form') as HTMLFormElement);
    await waitFor(() => expect(commands()).toEqual(['YoudoneSay, then end: Goodbye.']));
    expect(control.mock.lastCall?.[1]).toEqual({ type: 'say', content: 'Goodbye.', end_after: true });
    expect(option('End the call after it')).toHaveProperty('checked', false);
  });

  it('add context, with or without an answer', async () => {
    const control = accepted();
    showActions(control);
    press('Add context');
    type(field('Context for the model'), 'The kitchen is closed.');
    press('Add');
    await waitFor(() =>
      expect(control.mock.lastCall?.[1]).toEqual({
        type: 'inject-context',
        content: 'The kitchen is closed.',
        trigger_response: false,
      }),
    );
    await waitFor(() => expect(commands()).toEqual(['YoudoneContext: The kitchen is closed.']));
    fireEvent.click(option('Answer now'));
    type(field('Context for the model'), 'It opens at six.');
    press('Add');
    await waitFor(() => expect(commands()[1]).toBe('YoudoneContext, answer now: It opens at six.'));
    expect(control.mock.lastCall?.[1]).toMatchObject({ trigger_response: true });
  });

  it('press keys', async () => {
    const control = accepted();
    showActions(control);
    press('Press keys');
    type(screen.getByRole('textbox', { name: 'Keys', description: /Digits/ }), '12#');
    press('Press');
    await waitFor(() => expect(commands()).toEqual(['YoudoneKeys: 12#']));
    expect(control.mock.lastCall?.[1]).toEqual({ type: 'send-dtmf', digits: '12#' });
  });

  it('transfer the call in the chosen mode', async () => {
    const control = accepted();
    showActions(control);
    press('Transfer');
    fireEvent.click(screen.getByRole('radio', { name: 'Warm: announce first' }));
    type(field('Destination'), '+31201234567');
    fireEvent.submit(field('Destination').closest('form') as HTMLFormElement);
    await waitFor(() => expect(commands()).toEqual(['YoudoneTransfer (warm) to +31201234567']));
    expect(control.mock.lastCall?.[1]).toEqual({ type: 'transfer', destination: '+31201234567', mode: 'warm' });
  });

  it('keep the text of a form while another one is used', () => {
    showActions(accepted());
    type(field('The agent says'), 'Half a sentence');
    press('Press keys');
    expect(screen.queryByRole('textbox', { name: 'The agent says' })).toBeNull();
    press('Say');
    expect(field('The agent says')).toHaveProperty('value', 'Half a sentence');
  });
});

describe('muting the agent', () => {
  it('is shown at once, and taken back if it fails', async () => {
    const sent = deferred<unknown>();
    const control = vi.fn<Control>(() => sent.promise);
    showActions(control);
    press('Mute the agent');
    expect(screen.getByRole('button', { name: 'Unmute the agent' })).toBeTruthy();
    expect(control.mock.lastCall?.[1]).toEqual({ type: 'mute-assistant' });
    sent.reject(refusal('not now'));
    expect(await screen.findByRole('button', { name: 'Mute the agent' })).toBeTruthy();
  });

  it('follows the state that the service reports', async () => {
    const control = accepted();
    showActions(control, true);
    press('Unmute the agent');
    await waitFor(() => expect(commands()).toEqual(['YoudoneUnmute the agent']));
    expect(control.mock.lastCall?.[1]).toEqual({ type: 'unmute-assistant' });
    expect(screen.getByRole('button', { name: 'Mute the agent' })).toBeTruthy();
  });
});

describe('ending the call', () => {
  it('asks for a confirmation first', async () => {
    const control = accepted();
    showActions(control);
    press('End the call');
    press('Cancel', dialog('End this call?'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(control).not.toHaveBeenCalled();
    press('End the call');
    press('End', dialog('End this call?'));
    expect(await screen.findByRole('button', { name: 'Ending…' })).toHaveProperty('disabled', true);
    await waitFor(() => expect(commands()).toEqual(['YoudoneEnd the call']));
    expect(control.mock.calls).toEqual([['call-1', { type: 'end-call' }]]);
    // The button stays like this until the call has ended.
    expect(screen.getByRole('button', { name: 'Ending…' })).toBeTruthy();
  });

  it('can be tried again after a failure', async () => {
    showActions(() => Promise.reject(refusal('not now')));
    press('End the call');
    press('End', dialog('End this call?'));
    await waitFor(() => expect(commands()).toEqual(['YoufailedEnd the callnot nowRequest req-1']));
    expect(screen.getByRole('button', { name: 'End the call' })).toHaveProperty('disabled', false);
  });
});
