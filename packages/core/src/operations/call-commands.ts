import type { CallControl } from '../calls/call-control.ts';
import { notActive } from '../calls/refusal.ts';
import { timestamp } from '../clock/timestamp.ts';
import type { Call } from '../domain/call.ts';
import { type CallCommandRecord, type ControlAnswer, controlCommandSchema } from '../domain/call-control.ts';
import { RequestError, UniqueViolation } from '../errors.ts';
import { uuidv7 } from '../ids.ts';
import type { RecordDependencies } from './dependencies.ts';
import { parseInput } from './parse-input.ts';

/** What became of a command, as it is kept for a repetition. */
type Outcome = { message: string } | { status: number; code: string; message: string };

/**
 * Carries out a command on a call. A `command_id` that the call has seen gets the first answer again.
 * Throws `RequestError`: 400 for the input, 409 `call_not_active`, 409 `idempotency_in_progress` for a repetition that comes while
 * the first is being carried out, 503 `unavailable` where the call cannot do it.
 */
export async function commandCall(
  deps: RecordDependencies & { readonly control: CallControl },
  orgId: string,
  call: Call,
  input: unknown,
): Promise<ControlAnswer> {
  const { storage, clock, random, control } = deps;
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
    created_at: timestamp(clock),
  };
  try {
    await storage.callCommands.insert(orgId, record);
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    throw inProgress();
  }
  const outcome = await control
    .control(call.id, command)
    .then((message): Outcome => ({ message }))
    .catch(async (thrown: unknown) => {
      if (thrown instanceof RequestError) return refusal(thrown);
      // Nobody knows what came of it: whoever sends it again is to find out.
      await storage.callCommands.delete(orgId, record.id);
      throw thrown;
    });
  const answered: CallCommandRecord = { ...record, answer: outcome };
  await storage.callCommands.update(orgId, record.id, { answer: outcome });
  return answerOf(answered);
}

function refusal({ status, code, message }: RequestError): Outcome {
  return { status, code, message };
}

function answerOf({ command_id, answer }: CallCommandRecord): ControlAnswer {
  if (answer === null) throw inProgress();
  const outcome = answer as Outcome;
  if ('status' in outcome) throw new RequestError(outcome.status, outcome.code, outcome.message);
  return { success: true, message: outcome.message, command_id };
}

function checkActive(call: Call, type: CallCommandRecord['type']): void {
  const rings = call.status === 'queued' || call.status === 'connecting';
  if (call.status === 'in-progress' || (rings && type === 'end-call')) return;
  throw notActive(call.id);
}

function inProgress(): RequestError {
  return new RequestError(409, 'idempotency_in_progress', 'The command is being carried out.', [], {
    retryAfterSeconds: 1,
  });
}
