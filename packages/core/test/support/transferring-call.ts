import type { MediaLeg, TransferOutcome, TransferRequest } from '@va/core/adapter';
import { calling, ScriptedIncomingCall, type ScriptedReply, scriptedStt } from '@va/testkit';
import type { ControlAnswer, NewControlCommand } from '../../src/domain/calls/call-control.ts';
import { dialedNumber, PhoneCall, type PhoneCallOptions } from './phone-call.ts';

/** A call whose line can hand the caller over; the test decides the outcome. */
export class TransferringCall extends ScriptedIncomingCall implements MediaLeg {
  readonly transfers: TransferRequest[] = [];
  /** Frames of the agent sent when the transfer began. */
  framesBefore = 0;
  #settle: (outcome: TransferOutcome) => void = () => {};
  #fail: (error: Error) => void = () => {};

  transfer(request: TransferRequest): Promise<TransferOutcome> {
    this.transfers.push(request);
    this.framesBefore = this.sent.filter((frame) => frame.some((code) => code !== 0xff)).length;
    return new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#fail = reject;
    });
  }

  settle(outcome: TransferOutcome): void {
    this.#settle(outcome);
  }

  fail(error: Error): void {
    this.#fail(error);
  }
}

export const sales = '+31201111111';
export const support = 'sip:support@example.com';
const tool = {
  type: 'transferCall',
  description: 'Hands over to a colleague.',
  destinations: [
    { type: 'number', number: sales, description: 'Sales: orders and prices', message: 'I put you through to sales.' },
    { type: 'sip', number: support, description: 'Support', mode: 'warm' },
  ],
};
export const tools = [tool, { type: 'endCall' }];

/** A call on a line that can hand the caller over; `keep` has it closed after the test. */
export async function ringTransferring(
  keep: (call: PhoneCall) => PhoneCall,
  options: PhoneCallOptions & { llmConfig?: Record<string, unknown> } = {},
): Promise<{ call: PhoneCall; leg: TransferringCall }> {
  const leg = new TransferringCall({ to: dialedNumber });
  const call = keep(new PhoneCall({ stt: scriptedStt({ turns: ['sales please', 'no wait', 'hello'] }), ...options }));
  const llm_config = { provider: 'scripted', messages: [{ role: 'system', content: 'Be brief.' }], tools };
  await call.prepare({ llm_config: { ...llm_config, ...options.llmConfig }, ...options.agent });
  await call.dial(leg);
  return { call, leg };
}

export function transferring(destination: string, more: Record<string, unknown> = {}): ScriptedReply {
  return calling('transferCall', { destination, reason: 'wants to order', ...more });
}

type TransferCommand = Extract<NewControlCommand, { type: 'transfer' }>;

export async function control(call: PhoneCall, body: Omit<TransferCommand, 'type'>): Promise<ControlAnswer> {
  const { id } = await call.stored();
  return await call.va.operations.calls.control(call.orgId, id, { type: 'transfer', ...body });
}

/** Returns the number of frames of a text at 50 ms per letter. */
export const framesOf = (text: string): number => (text.length * 50) / 20;
