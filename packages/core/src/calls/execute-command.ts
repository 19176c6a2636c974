import type { ConversationRunner } from '../conversation/runner/runner.ts';
import type { ControlCommand } from '../domain/calls/call-control.ts';
import { RequestError } from '../errors.ts';
import type { MediaLeg } from '../ports/telephony.ts';
import { notActive, takenOver, transferring } from './origin/refusal.ts';

/** The live conversation that a command is for. */
export interface CommandTarget {
  readonly callId: string;
  readonly runner: ConversationRunner;
  readonly leg: MediaLeg | null;
  setVariables(changes: Record<string, unknown>): Promise<void>;
}

/** Commands that the agent carries out. They are refused while a supervisor has taken over. */
const needsAgent: ReadonlySet<ControlCommand['type']> = new Set(['say', 'transfer']);

/**
 * Executes a control command on a live conversation. Returns the message of the API's response.
 * @throws RequestError if the call's state does not allow the command, or the adapter does not support it
 */
export async function executeCommand(command: ControlCommand, target: CommandTarget): Promise<string> {
  const { runner } = target;
  if (runner.state.playout.isTakenOver && needsAgent.has(command.type)) throw takenOver(target.callId);
  switch (command.type) {
    case 'say': {
      const { content: text, interruptible, end_after: endAfter } = command;
      runner.dispatch({ type: 'say', text, interruptible, endAfter });
      return 'The message is queued.';
    }
    case 'inject-context':
      runner.dispatch({ type: 'context-injected', text: command.content, wantsReply: command.trigger_response });
      return 'The context is added.';
    case 'end-call':
      runner.dispatch({ type: 'end', reason: 'api_hangup', message: command.message ?? null });
      return 'The call is ending.';
    case 'mute-assistant':
      runner.dispatch({ type: 'mute-changed', isMuted: true });
      return 'The agent is muted.';
    case 'unmute-assistant':
      runner.dispatch({ type: 'mute-changed', isMuted: false });
      return 'The agent is unmuted.';
    case 'set-variables':
      await target.setVariables(command.variables);
      return 'The variables are set.';
    case 'send-dtmf':
      return sendDtmf(command.digits, command.duration_ms, target);
    case 'transfer':
      return transfer(command, target);
  }
}

function sendDtmf(digits: string, toneMs: number, { leg }: CommandTarget): string {
  if (leg?.sendDtmf === undefined) throw unsupported('send-dtmf');
  leg.sendDtmf(digits, toneMs);
  return 'The digits are being sent.';
}

function transfer(command: Extract<ControlCommand, { type: 'transfer' }>, { callId, runner }: CommandTarget): string {
  if (!runner.state.config.canTransfer) throw unsupported('transfer');
  if (runner.state.phase.kind !== 'open') throw notActive(callId);
  if (runner.state.transfer.active !== null) throw transferring(callId);
  const { destination, mode, send_digits: keysOnAnswer = null, message = null } = command;
  runner.dispatch({ type: 'transfer-asked', destination, mode, keysOnAnswer, message });
  return 'The transfer has started.';
}

function unsupported(command: ControlCommand['type']): RequestError {
  return new RequestError(503, 'unavailable', `The telephony adapter of the call does not support ${command}.`);
}
