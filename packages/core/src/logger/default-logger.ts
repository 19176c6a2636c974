import { type DestinationStream, type LoggerOptions, pino, stdSerializers } from 'pino';
import type { Logger } from '../ports/logger.ts';
import { redact, redaction, secretFields } from './redact.ts';

const options: LoggerOptions = {
  name: 'va',
  // pino's own redaction, twenty times as slow below the first level, for the bindings of child loggers.
  redact: { paths: secretFields.map((field) => `["${field}"]`), censor: redaction },
  formatters: { log: redact },
  serializers: { err: (error: Error) => redact({ ...stdSerializers.err(error) }) },
};

/** pino on standard output, with what is secret taken out. */
export function defaultLogger(destination?: DestinationStream): Logger {
  return destination === undefined ? pino(options) : pino(options, destination);
}
