import { parentPort } from 'node:worker_threads';
import { toError } from '../errors.ts';
import { loadDialect, runSchemaTask, type SchemaResult, type SchemaTask } from './schema-task.ts';

/** Messages of the worker: `ready` once, then `result` or `failed` for each task. */
export type FromSchemaWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'result'; readonly result: SchemaResult }
  | { readonly type: 'failed'; readonly message: string };

const port = parentPort;
if (port === null) throw new Error('This file is the program of a worker thread.');
const post = (message: FromSchemaWorker): void => port.postMessage(message);

port.on('message', (task: SchemaTask) => {
  runSchemaTask(task).then(
    (result) => post({ type: 'result', result }),
    (thrown: unknown) => post({ type: 'failed', message: toError(thrown).message }),
  );
});
// Loads what every task needs before the first deadline starts.
await Promise.all([loadDialect(false), loadDialect(true)]);
post({ type: 'ready' });
