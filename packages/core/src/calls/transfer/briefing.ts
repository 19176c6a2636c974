import type { DtmfDigit } from '@va/media';
import { defaultToolTimeoutMs, type ExternalTool } from '../../conversation/state/tools/call-tool.ts';
import { toError } from '../../errors.ts';
import type { MediaLeg, TransferRequest } from '../../ports/telephony.ts';
import type { Assistant } from '../assistant.ts';
import { Scope } from '../scope.ts';
import { type ConversationSetup, startConversation } from '../session/conversation-setup.ts';

const acceptTool = answerTool('accept_call', 'They take the call: connects them with the caller at once.');
const declineTool = answerTool('decline_call', 'They do not take the call.');
const acceptKey = '1';
/** Time to accept a caller; then the transfer counts as declined. */
const limitSeconds = 45;

/**
 * Asks the destination of a warm transfer, on its own call, to accept the caller: speaks the summary, and accepts a
 * spoken yes or key 1. Any other key, silence and a hang-up decline.
 */
export function askToTakeOver(
  setup: ConversationSetup,
  leg: MediaLeg,
  { summary, keysOnAnswer }: Pick<TransferRequest, 'summary' | 'keysOnAnswer'>,
  signal: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve) => {
    const scope = new Scope(setup.logger);
    const decide = (isTaken: boolean): void => {
      signal.removeEventListener('abort', giveUp);
      scope.close();
      resolve(isTaken);
    };
    const giveUp = (): void => decide(false);
    if (signal.aborted) {
      giveUp();
      return;
    }
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      startConversation({
        ...setup,
        scope,
        leg,
        recording: null,
        handover: null,
        answering: null,
        keysOnAnswer,
        assistant: briefingAssistant(setup.assistant, summary),
        tools: [acceptTool, declineTool],
        runTool: async (_call, tool) => {
          decide(tool.name === acceptTool.name);
          return { ok: true, result: 'done' };
        },
        onDtmf: ({ digit }: DtmfDigit) => decide(digit === acceptKey),
        onNotice: () => {},
        onEnd: giveUp,
        onBegun: (runner) =>
          runner.dispatch({ type: 'context-injected', text: 'They have answered. Speak now.', wantsReply: true }),
      });
    } catch (thrown) {
      setup.logger.warn({ err: toError(thrown) }, 'failed to ask the destination of a transfer');
      giveUp();
    }
  });
}

function briefingAssistant(assistant: Assistant, summary: string | null): Assistant {
  const { llmConfig } = assistant;
  const prompt = [
    'You are on the phone with somebody to whom a caller is to be transferred; the caller waits on another line.',
    'Say in one or two sentences who is calling and why, in the language of the notes, and ask whether they take ' +
      'the call.',
    `They may say so, or press ${acceptKey} to take it and any other key not to.`,
    'Call accept_call as soon as they agree, and decline_call if they do not. Do nothing else.',
    `Notes on the call: ${summary ?? 'there are none.'}`,
  ].join('\n');
  return {
    ...assistant,
    firstMessage: null,
    maxDurationSeconds: limitSeconds,
    recordingEnabled: false,
    llmConfig: llmConfig === null ? null : { ...llmConfig, messages: [{ role: 'system', content: prompt }], tools: [] },
  };
}

function answerTool(name: string, description: string): ExternalTool {
  const parameters = { type: 'object', properties: {} };
  const timing = { timeoutMs: defaultToolTimeoutMs, cancelOnInterruption: false };
  return { type: 'host', name, description, parameters, async: false, ...timing };
}
