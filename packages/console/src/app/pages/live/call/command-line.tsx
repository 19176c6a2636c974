import { ApiError } from '@va/client';
import type { JSX } from 'preact';
import { texts } from '../../../texts/en.ts';
import type { SentCommand } from './items.ts';

const kinds = { sending: 'badge', done: 'badge good', failed: 'badge bad' };

/** A command with its result or error. */
export function CommandLine({ command, time }: { readonly command: SentCommand; readonly time: string }): JSX.Element {
  const { actions } = texts.live;
  const { state, error, text } = command;
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <li class="line command">
      <time>{time}</time>
      <span class="line-body">
        <span class="line-head">
          <strong>{actions.operator}</strong>
          <span class={kinds[state]}>{actions[state]}</span>
        </span>
        <span class="line-text">{text}</span>
        {error !== null && (
          <span class="fault">
            {error.message}
            {requestId !== null && (
              <span class="request">
                {texts.errors.requestId} <code>{requestId}</code>
              </span>
            )}
          </span>
        )}
      </span>
    </li>
  );
}
