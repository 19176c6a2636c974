type LogMethod = (fields: Record<string, unknown>, message: string) => void;

/** The part of pino's interface that the service uses; pass a pino logger or a compatible one. */
export interface Logger {
  debug: LogMethod;
  info: LogMethod;
  warn: LogMethod;
  error: LogMethod;
  child(bindings: Record<string, unknown>): Logger;
}
