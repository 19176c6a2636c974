import { type FieldFault, RequestError, VaError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import { FairQueue } from './fair-queue.ts';
import { schemaLimitFault } from './schema-limits.ts';
import type { Schema, SchemaResult, SchemaTask } from './schema-task.ts';
import { createSchemaRunner, type SchemaRunner } from './schema-thread.ts';

/** Maximum waiting tasks of one organization. */
const maxWaitingPerOrganization = 8;

interface WaitingCheck {
  readonly task: SchemaTask;
  readonly resolve: (result: SchemaResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Checks tenants' JSON Schemas, and values against them, in one worker thread. Each task has a deadline, and
 * organizations take turns, so that slow tasks of one organization delay each task of another by one deadline at most.
 */
export class SchemaChecker {
  readonly #runner: SchemaRunner;
  readonly #queue = new FairQueue<WaitingCheck>(maxWaitingPerOrganization);
  #running: Promise<void> | null = null;

  constructor(clock: Clock, runner: SchemaRunner = createSchemaRunner(clock)) {
    this.#runner = runner;
  }

  /**
   * Returns the faults of a JSON Schema of type object, with paths below `path`; none if it is valid. References to
   * other documents are refused, because nothing is fetched.
   * @throws RequestError 429 `rate_limited` when too many schemas of the organization are waiting
   */
  async faultsOf(orgId: string, schema: Schema, path: string): Promise<readonly FieldFault[]> {
    const fault = (at: string, message: string): FieldFault[] => [{ path: at, code: 'invalid_field', message }];
    if (schema.type !== 'object') return fault(`${path}.type`, 'expected "object"');
    const limit = schemaLimitFault(schema);
    if (limit !== null) return fault(path, limit);
    try {
      const result = await this.#run(orgId, { type: 'judge', schema, path });
      return result.type === 'invalid_schema' ? result.faults : [];
    } catch (thrown) {
      if (thrown instanceof VaError && thrown.code === 'schema_too_slow') return fault(path, thrown.message);
      throw thrown;
    }
  }

  /**
   * Describes where the value does not match the schema; empty if it matches.
   * @throws VaError `invalid_schema`, `schema_too_slow`; RequestError 429 `rate_limited`
   */
  async check(orgId: string, schema: Schema, value: unknown): Promise<readonly string[]> {
    const limit = schema.type === 'object' ? schemaLimitFault(schema) : 'is not of type "object"';
    if (limit !== null) throw new VaError('invalid_schema', `The JSON Schema ${limit}.`);
    const result = await this.#run(orgId, { type: 'check', schema, value });
    if (result.type === 'invalid_schema') {
      const [first] = result.faults;
      throw new VaError('invalid_schema', `${first?.path}: ${first?.message}`);
    }
    return result.type === 'misfit' ? result.faults : [];
  }

  async close(): Promise<void> {
    await this.#runner.close();
  }

  #run(orgId: string, task: SchemaTask): Promise<SchemaResult> {
    return new Promise((resolve, reject) => {
      if (!this.#queue.push(orgId, { task, resolve, reject })) {
        const message = 'Too many JSON Schemas of the organization are being checked.';
        reject(new RequestError(429, 'rate_limited', message, [], { retryAfterSeconds: 1 }));
        return;
      }
      this.#running ??= this.#work();
    });
  }

  async #work(): Promise<void> {
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      await this.#runner.run(next.task).then(next.resolve, next.reject);
    }
    this.#running = null;
  }
}
