import { signal } from '@preact/signals';
import { ApiError } from '@va/client';
import type { JSX } from 'preact';
import { texts } from '../../texts/en.ts';

interface Toast {
  readonly id: number;
  readonly kind: 'good' | 'bad';
  readonly text: string;
  readonly requestId: string | null;
}

const toasts = signal<readonly Toast[]>([]);
const shownMs = 5_000;
let lastId = 0;

/** Shows a success notice for some seconds. */
export function notify(text: string): void {
  const id = add({ kind: 'good', text, requestId: null });
  setTimeout(() => dismiss(id), shownMs);
}

/** Shows an error notice until it is dismissed. */
export function notifyError(thrown: unknown): void {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  add({ kind: 'bad', text, requestId: thrown instanceof ApiError ? thrown.requestId : null });
}

/** Runs an action and shows its error as a notice. Resolves to true if it succeeded. */
export async function attempt(action: () => Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await action();
  } catch (thrown) {
    notifyError(thrown);
    return false;
  }
  if (done !== undefined) notify(done);
  return true;
}

function add(toast: Omit<Toast, 'id'>): number {
  lastId += 1;
  toasts.value = [...toasts.value.slice(-4), { ...toast, id: lastId }];
  return lastId;
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((each) => each.id !== id);
}

export function Toasts(): JSX.Element {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, kind, text, requestId }) => (
        <div key={id} class={`notice ${kind}`}>
          <p>{text}</p>
          {requestId !== null && (
            <p class="small">
              {texts.errors.requestId} <code>{requestId}</code>
            </p>
          )}
          <button class="button quiet icon" type="button" aria-label={texts.dialog.close} onClick={() => dismiss(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
