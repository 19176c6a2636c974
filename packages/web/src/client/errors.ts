/**
 * Why a call could not begin, or ended early. `permission-denied` and `no-device` concern the microphone;
 * `unsupported` is a page without a secure context or an old browser.
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

export class WebCallError extends Error {
  readonly code: WebCallErrorCode;

  constructor(code: WebCallErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = 'WebCallError';
    this.code = code;
  }
}

/** Returns the typed error of a failed request for a device. */
export function deviceError(thrown: unknown): WebCallError {
  const name = thrown instanceof Error || thrown instanceof DOMException ? thrown.name : '';
  const options = { cause: thrown };
  if (name === 'NotAllowedError' || name === 'SecurityError') {
    return new WebCallError('permission-denied', 'The use of the microphone was not allowed.', options);
  }
  if (name === 'NotFoundError' || name === 'OverconstrainedError') {
    return new WebCallError('no-device', 'There is no such audio device.', options);
  }
  return new WebCallError('device-failed', 'The audio device could not be opened.', options);
}
