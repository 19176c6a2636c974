import type { CallControl } from '../../calls/call-control.ts';
import { notActive } from '../../calls/origin/refusal.ts';
import { activeTraceparent } from '../../calls/telemetry.ts';
import { timestamp } from '../../clock/timestamp.ts';
import type { Call, CallRecord } from '../../domain/calls/call.ts';
import {
  type CallCommandRecord,
  type CommandOutcome,
  type ControlAnswer,
  type ControlCommand,
  controlCommandSchema,
  type NewControlCommand,
} from '../../domain/calls/call-control.ts';
import { RequestError, toError, UniqueViolation } from '../../errors.ts';
import { uuidv7 } from '../../ids.ts';
import { parseInput } from '../../input/parse-input.ts';
import type { Logger } from '../../ports/logger.ts';
import type { RecordDependencies } from '../dependencies.ts';

/**
 * Executes a command on a call. A repeated `command_id` gets the stored response.
 * @throws RequestError 400 for the input, 409 `call_not_active`, 409 `idempotency_in_progress` for a repetition while
 *   the first is executed, 503 `unavailable` if the call does not support it
 */
export async function commandCall(
  deps: RecordDependencies & { readonly control: CallControl; readonly logger?: Logger | undefined },
  orgId: string,
  call: CallRecord,
  input: NewControlCommand,
): Promise<ControlAnswer> {
  const { storage, clock, random, control, logger } = deps;
  const { command_id: commandId = uuidv7(clock, random), ...command } = parseInput(controlCommandSchema, input);
  const [seen] = await storage.callCommands.list(orgId, {
    where: { call_id: call.id, command_id: commandId },
    limit: 1,
  });
  if (seen !== undefined) return answerOf(seen);
  checkActive(call, command.type);
  const record: CallCommandRecord = {
    id: uuidv7(clock, random),
    call_id: call.id,
    command_id: commandId,
    type: command.type,
    command,
    answer: null,
    node_id: control.nodeOf(call),
    traceparent: activeTraceparent(),
    created_at: timestamp(clock),
  };
  try {
    await storage.callCommands.insert(orgId, record);
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    throw inProgress();
  }
  const isElsewhere = record.node_id !== null;
  const answer = isElsewhere ? await control.ask(orgId, record) : await carryOut(control, record, logger);
  // The outcome is unknown, so a repetition must execute the command again.
  if ('status' in answer && answer.status === 500) await storage.callCommands.delete(orgId, record.id);
  else if (!isElsewhere) await storage.callCommands.update(orgId, record.id, { answer });
  return answerOf({ ...record, answer });
}

/** Executes a command on a call of this process. Never rejects: failures are outcomes. */
export async function carryOut(
  control: Pick<CallControl, 'control'>,
  { call_id, command, traceparent }: CallCommandRecord,
  logger: Logger | undefined,
): Promise<CommandOutcome> {
  try {
    return { message: await control.control(call_id, command as ControlCommand, traceparent) };
  } catch (thrown) {
    if (thrown instanceof RequestError) return { status: thrown.status, code: thrown.code, message: thrown.message };
    logger?.error({ err: toError(thrown), callId: call_id }, 'a command failed');
    return { status: 500, code: 'internal_error', message: 'The command failed.' };
  }
}

function answerOf({ command_id, answer }: CallCommandRecord): ControlAnswer {
  if (answer === null) throw inProgress();
  const outcome = answer as CommandOutcome;
  if ('status' in outcome) throw new RequestError(outcome.status, outcome.code, outcome.message);
  return { success: true, message: outcome.message, command_id };
}

function checkActive(call: Call, type: CallCommandRecord['type']): void {
  const rings = call.status === 'queued' || call.status === 'connecting';
  if (call.status === 'in-progress' || (rings && type === 'end-call')) return;
  throw notActive(call.id);
}

function inProgress(): RequestError {
  return new RequestError(409, 'idempotency_in_progress', 'The command was accepted and is being executed.', [], {
    retryAfterSeconds: 1,
  });
}
