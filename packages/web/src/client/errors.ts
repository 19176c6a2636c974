/**
 * Reason why a call failed:
 *
 * - `permission-denied`: the user or the browser denied access to the microphone.
 * - `no-device`: the audio device does not exist or was removed.
 * - `device-failed`: the audio device or the audio worklet cannot be opened.
 * - `unsupported`: the page has no secure context, or the browser is too old.
 * - `token-refused`: the token or the publishable key is invalid, expired, used or over its limits.
 * - `connection-failed`: the service cannot be reached.
 * - `connection-lost`: the connection was lost and cannot be resumed.
 * - `protocol`: `start` was called twice, or the service closed the connection with a protocol error.
 */
export type WebCallErrorCode =
  | 'permission-denied'
  | 'no-device'
  | 'device-failed'
  | 'unsupported'
  | 'token-refused'
  | 'connection-failed'
  | 'connection-lost'
  | 'protocol';

/**
 * Error of a web call.
 * @example call.start().catch((error) => { if (error.code === 'permission-denied') showMicrophoneHelp(); });
 */
export class WebCallError extends Error {
  readonly code: WebCallErrorCode;

  constructor(code: WebCallErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = 'WebCallError';
    this.code = code;
  }
}

/** Converts the error of a failed device request. */
export function deviceError(thrown: unknown): WebCallError {
  const name = thrown instanceof Error || thrown instanceof DOMException ? thrown.name : '';
  const options = { cause: thrown };
  if (name === 'NotAllowedError' || name === 'SecurityError') {
    return new WebCallError(
      'permission-denied',
      'Access to the microphone was denied. Allow it in the settings of the browser.',
      options,
    );
  }
  if (name === 'NotFoundError' || name === 'OverconstrainedError') {
    return new WebCallError('no-device', 'The audio device was not found.', options);
  }
  return new WebCallError('device-failed', 'The audio device could not be opened.', options);
}
