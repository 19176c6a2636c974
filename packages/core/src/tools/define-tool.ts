import type { StandardSchemaV1 } from '@standard-schema/spec';
import { builtInToolNames } from '../domain/agents/tools/tool.ts';
import type { Call } from '../domain/calls/call.ts';
import { VaError } from '../errors.ts';
import type { Logger } from '../ports/logger.ts';
import { jsonSchemaOf } from './parameters-schema.ts';

/** Context of a tool call: the phone call that the tool runs for, and what the tool can do in it. */
export interface ToolContext {
  /** The call's record at this moment. */
  readonly call: Call;
  readonly organization: { readonly id: string; readonly name: string };
  /** Values of the placeholders of prompt and first message. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Logger that adds the call and the tool to each line. */
  readonly logger: Logger;
  /**
   * Aborted when the result is no longer wanted: after `timeoutMs`, at the end of the call (not for an `async` tool),
   * and, with `cancelOnInterruption`, when the caller has gone on to something else.
   */
  readonly signal: AbortSignal;
  /**
   * Says a text to the caller while the tool runs, such as "Still looking". The text is dropped while the caller
   * speaks, and once the call ends.
   */
  say(text: string): void;
  /** The model's id of this tool call, unique within the call. */
  readonly toolCallId: string;
  /** Unique among all calls, and the same if the tool call is ever repeated. */
  readonly idempotencyKey: string;
}

/** Definition of a tool of the host. */
export interface ToolDefinition<Schema extends StandardSchemaV1> {
  /** Up to 64 letters, digits, underscores and hyphens. */
  readonly name: string;
  /** Tells the model when to use the tool. */
  readonly description: string;
  /** Validates the model's arguments: an object schema of any validator with Standard Schema. */
  readonly parameters: Schema;
  /** JSON Schema of the arguments, for validators that cannot provide it. */
  readonly jsonSchema?: Readonly<Record<string, unknown>>;
  /**
   * Runs the tool. The returned value, as JSON, is the result for the model. Errors are logged, and the model learns
   * only that the tool failed; of a {@link ToolError}, which is not logged, it gets the message.
   */
  execute(args: StandardSchemaV1.InferOutput<Schema>, context: ToolContext): unknown;
  /** Time in which the tool has to return its result, in milliseconds: 10,000 by default, 600,000 at most. */
  readonly timeoutMs?: number;
  /** True if the conversation goes on without the result; false by default. */
  readonly async?: boolean;
  /** Spoken while the tool runs, if the model says nothing itself. */
  readonly message?: string;
  /**
   * True if the tool is aborted when the caller says something else before there is a result; the model is informed.
   * False by default: a tool with effects runs to its end.
   */
  readonly cancelOnInterruption?: boolean;
  /** Decides which organizations may use the tool; all by default. Asked when an agent is stored and at each call. */
  readonly allow?: (organization: { readonly id: string }) => boolean | Promise<boolean>;
}

/** A tool that runs in the host's process. Created by {@link defineTool}. */
export interface HostTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Record<string, unknown>;
  readonly timeoutMs: number;
  readonly async: boolean;
  readonly message: string | undefined;
  readonly cancelOnInterruption: boolean;
  /** The validator of the arguments. */
  readonly schema: StandardSchemaV1;
  execute(args: unknown, context: ToolContext): unknown;
  allow(organization: { readonly id: string }): boolean | Promise<boolean>;
}

/** Error whose message is passed to the model: `throw new ToolError('There is no table free.')`. */
export class ToolError extends VaError {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super('tool_failed', message, options);
  }
}

const maxTimeoutMs = 600_000;

/**
 * Defines a tool that runs in this process. Agents use it with `{ "type": "host", "name": … }` in `llm_config.tools`.
 *
 * @example const findTable = defineTool({
 *   name: 'find_table', description: 'Finds a free table.', parameters: z.object({ people: z.int().min(1) }),
 *   execute: async ({ people }, { signal }) => await tables.find(people, { signal }) });
 *   createVoiceAgents({ tools: [findTable], … });
 *
 * @throws VaError `invalid_options` for a bad name, timeout, or schema
 */
export function defineTool<Schema extends StandardSchemaV1>(definition: ToolDefinition<Schema>): HostTool {
  const { name, description, parameters, timeoutMs = 10_000, allow = () => true } = definition;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name) || builtInToolNames.includes(name)) {
    throw new VaError('invalid_options', `${JSON.stringify(name)} is not a name for a tool.`);
  }
  if (!(timeoutMs >= 1 && timeoutMs <= maxTimeoutMs)) {
    throw new VaError('invalid_options', `The timeout of the tool ${name} is not within 1 and ${maxTimeoutMs} ms.`);
  }
  return {
    name,
    description,
    parameters: jsonSchemaOf(name, parameters, definition.jsonSchema),
    timeoutMs,
    async: definition.async ?? false,
    message: definition.message,
    cancelOnInterruption: definition.cancelOnInterruption ?? false,
    schema: parameters,
    execute: (args, context) => definition.execute(args as StandardSchemaV1.InferOutput<Schema>, context),
    allow,
  };
}
