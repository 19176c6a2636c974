import { type Clock, type Logger, type TransferOutcome, type TransferRequest, toError } from '@va/core/adapter';
import type { TwilioApi } from './api.ts';
import type { MediaStream } from './media-stream.ts';
import { dial } from './twiml.ts';

export interface SessionContext {
  readonly api: TwilioApi;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Hangs up a call by the API and closes its stream, once its last words were played. Never rejects. */
export async function hangUp(callSid: string, stream: MediaStream | null, context: SessionContext): Promise<void> {
  await stream?.finish();
  await update(callSid, { Status: 'completed' }, context);
}

/** Changes a call; a call that is over already is no error. Returns a message of the failure, or null. */
export async function update(
  callSid: string,
  fields: Readonly<Record<string, string>>,
  { api, logger }: SessionContext,
): Promise<string | null> {
  try {
    await api.update(callSid, fields);
    return null;
  } catch (thrown) {
    const error = toError(thrown);
    if ('status' in error && error.status === 404) return 'The call is over.';
    logger.warn({ call: callSid, err: error }, 'failed to change a call of Twilio');
    return error.message;
  }
}

/**
 * Replaces the stream by a call to the destination, without asking it. The stream then ends, after the outcome.
 */
export async function transferBlind(
  callSid: string,
  { destination, mode, signal }: TransferRequest,
  callerId: string,
  context: SessionContext,
): Promise<TransferOutcome> {
  if (mode === 'warm') {
    return { type: 'failed', message: 'A warm transfer needs transfer_trunk_id of the number.' };
  }
  if (signal.aborted) return { type: 'failed', message: 'The transfer was aborted.' };
  const failure = await update(callSid, { Twiml: dial(destination, callerId) }, context);
  return failure === null ? { type: 'accepted' } : { type: 'failed', message: failure };
}
