import { ApiError } from '@va/client';
import type { JSX } from 'preact';
import { texts } from '../texts/en.ts';

/** Shows an error, with the request id that identifies it in the service's log. */
export function ErrorNotice({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: () => void;
}): JSX.Element {
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <div class="notice bad" role="alert">
      <p>{error instanceof Error ? error.message : String(error)}</p>
      {requestId !== null && (
        <p class="muted small">
          {texts.errors.requestId} <code>{requestId}</code>
        </p>
      )}
      {onRetry !== undefined && (
        <button class="button plain" type="button" onClick={onRetry}>
          {texts.errors.retry}
        </button>
      )}
    </div>
  );
}
