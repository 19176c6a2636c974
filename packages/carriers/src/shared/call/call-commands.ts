import { type Logger, type TransferOutcome, type TransferRequest, toError } from '@va/core/adapter';
import { CarrierError } from '../web/carrier-error.ts';

/** Commands of a carrier's API for a live call. Each throws CarrierError or the error of `fetch`. */
export interface CallCommands {
  /** True if a call outlives its media stream and needs a command to be hung up. Default: false. */
  readonly outlivesStream?: boolean;
  /** Ends the call; cancels one that still rings. */
  hangUp(callId: string): Promise<void>;
  /**
   * Connects the far end to a number or SIP address instead of the stream. Resolves to null once that is done or
   * irrevocable, or to the reason if the destination did not answer and the far end is still connected.
   */
  transfer(callId: string, destination: string, callerNumber: string, signal: AbortSignal): Promise<string | null>;
  /** Sends DTMF. Returns null if the API does not support these digits; absent if it has no such command. */
  press?(callId: string, keys: string, toneMs: number): Promise<void> | null;
}

/** Runs a command. Resolves to null, or to an error message. Logs the error unless the call has already ended (404). */
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

/** Transfers the far end blindly. The stream ends afterwards. */
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
