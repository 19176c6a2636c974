import { type DestinationStream, type LoggerOptions, pino, stdSerializers } from 'pino';
import type { Logger } from '../ports/logger.ts';
import { redact, redaction, secretFields } from './redact.ts';

const options: LoggerOptions = {
  name: 'va',
  // pino's own redaction for the bindings of child loggers: below the first level it is twenty times slower.
  redact: { paths: secretFields.map((field) => `["${field}"]`), censor: redaction },
  formatters: { log: redact },
  serializers: { err: (error: Error) => redact({ ...stdSerializers.err(error) }) },
};

/** Creates a pino logger on standard output that redacts secrets. */
export function defaultLogger(destination?: DestinationStream): Logger {
  return destination === undefined ? pino(options) : pino(options, destination);
}
