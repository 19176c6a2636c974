/** Base class of the errors of all `@va` packages: `code` is stable and for programs, `message` is for people. */
export class VaError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** Converts a thrown value to an Error, so that log lines and `cause` always hold one. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
