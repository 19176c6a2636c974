import { type Logger, type TransferOutcome, type TransferRequest, toError } from '@va/core/adapter';
import { CarrierError } from '../web/carrier-error.ts';

/** Commands of a carrier's API on a live call. Each throws CarrierError or an error of the connection. */
export interface CallCommands {
  /** True if a call goes on when its media stream ends: it is then hung up by a command. Default: false. */
  readonly outlivesStream?: boolean;
  /** Ends the call; one that still rings is cancelled. */
  hangUp(callId: string): Promise<void>;
  /**
   * Connects the far end with a number or SIP address instead of the stream. Resolves to null once that is done, or
   * irrevocable; to the reason if the destination did not take the call and the far end is still here.
   */
  transfer(callId: string, destination: string, callerNumber: string, signal: AbortSignal): Promise<string | null>;
  /** Presses keys. Returns null if the API cannot press these; absent if it has no such command. */
  press?(callId: string, keys: string, toneMs: number): Promise<void> | null;
}

/** Runs a command; a call that is over already is no error of it. Returns a message of the failure, or null. */
export async function run(callId: string, command: () => Promise<void>, logger: Logger): Promise<string | null> {
  try {
    await command();
    return null;
  } catch (thrown) {
    const error = toError(thrown);
    if (error instanceof CarrierError && error.status === 404) return 'The call is over.';
    logger.warn({ call: callId, err: error }, 'failed to change a call of a carrier');
    return error.message;
  }
}

export interface BlindTransfer {
  readonly callId: string;
  readonly callerNumber: string;
  readonly commands: CallCommands;
  readonly logger: Logger;
}

/** Replaces the stream by a call to the destination, without briefing it. The stream then ends, after the outcome. */
export async function transferBlind(
  { callId, callerNumber, commands, logger }: BlindTransfer,
  { destination, mode, signal }: TransferRequest,
): Promise<TransferOutcome> {
  if (mode === 'warm') {
    return { type: 'failed', message: 'A warm transfer needs transfer_trunk_id of the number.' };
  }
  if (signal.aborted) return { type: 'failed', message: 'The transfer was aborted.' };
  const transfer: { refusal: string | null } = { refusal: null };
  const command = async (): Promise<void> => {
    transfer.refusal = await commands.transfer(callId, destination, callerNumber, signal);
  };
  const failure = await run(callId, command, logger);
  if (failure !== null) return { type: 'failed', message: failure };
  return transfer.refusal === null ? { type: 'accepted' } : { type: 'refused', reason: transfer.refusal };
}
