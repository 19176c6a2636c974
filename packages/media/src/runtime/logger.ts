type LogMethod = (fields: Record<string, unknown>, message: string) => void;

/** The part of pino's interface that the service uses; pass your own pino, or anything of this shape. */
export interface Logger {
  debug: LogMethod;
  info: LogMethod;
  warn: LogMethod;
  error: LogMethod;
  child(bindings: Record<string, unknown>): Logger;
}
