import { defineTool } from '@va/core';
import type { MediaLeg, RecordingStore, TransferOutcome, TransferRequest } from '@va/core/adapter';
import {
  callerFrame,
  calling,
  levelVad,
  ScriptedIncomingCall,
  type ScriptedSttStream,
  ScriptedTelephony,
  saying,
  scriptedLlm,
  scriptedStt,
  scriptedTts,
} from '@va/testkit';
import { webCalls } from '@va/web/server';
import { vi } from 'vitest';
import { z } from 'zod';
import { type ConsoleService, startConsoleService } from '../support/console-service.ts';

const frameMs = 20;

/** Said by the agents. The reply after the tool has markup in it. */
export const agentWords = { greeting: 'Harbour Restaurant.', reply: 'There is <b>one</b> at eight.' };
const toolResult = { table: '<img src=x onerror="throw 1">' };

/** A caller whose phone sends a frame each 20 ms: of speech while `speaks`, else of silence. */
class LiveCaller extends ScriptedIncomingCall implements MediaLeg {
  speaks = false;
  readonly transfers: TransferRequest[] = [];

  transfer(request: TransferRequest): Promise<TransferOutcome> {
    this.transfers.push(request);
    return Promise.resolve({ type: 'failed', message: 'the destination is busy' });
  }
}

/** A call that is in progress. */
export interface LiveCall {
  readonly id: string;
  readonly caller: LiveCaller;
  /** The recognizer of the call, for the words of the caller. */
  readonly stt: ScriptedSttStream;
}

/** A service whose calls run in real time, with callers and providers that the test drives. */
export interface LiveService extends ConsoleService {
  /** Has a caller ring at a number of the organization, and waits until the agent has answered. */
  ring(caller: string, options?: { readonly orgId?: string; readonly agentName?: string }): Promise<LiveCall>;
  /** Waits until the tool of the agents runs, and lets it return. Without this, it never returns. */
  finishTool(): Promise<void>;
}

export async function startLiveService(): Promise<LiveService> {
  const telephony = new ScriptedTelephony();
  const stt = scriptedStt();
  const callers: LiveCaller[] = [];
  const runningTools = new Set<() => void>();
  const findTable = defineTool({
    ...{ name: 'find_table', description: 'Finds a table.', parameters: z.object({ people: z.number() }) },
    execute: (_, { signal }) =>
      new Promise((resolve) => {
        const finish = (): void => resolve(toolResult);
        runningTools.add(finish);
        signal.addEventListener('abort', () => runningTools.delete(finish));
      }),
  });
  const llm = scriptedLlm(({ messages }) =>
    messages.at(-1)?.role === 'user' ? calling('find_table', { people: 2 }) : saying(agentWords.reply),
  );
  const service = await startConsoleService({
    hasWebCalls: true,
    service: {
      ...{
        telephony: [webCalls(), telephony],
        providers: [stt, llm, scriptedTts({ msPerLetter: 30 })],
        tools: [findTable],
      },
      ...{ vad: levelVad(), recordings: noRecordings },
    },
  });
  const sending = setInterval(() => {
    for (const caller of callers) if (caller.answered && caller.end === null) caller.hear(callerFrame(caller.speaks));
  }, frameMs);
  const { agents, calls, numbers } = service.va.operations;

  return {
    ...service,
    async finishTool() {
      await vi.waitUntil(() => runningTools.size > 0);
      for (const finish of runningTools) finish();
      runningTools.clear();
    },
    async ring(from, { orgId = service.orgId, agentName = 'Anna' } = {}) {
      const agent = await agents.create(orgId, { name: agentName, ...talking });
      const to = `+3120${String(1_000_000 + callers.length)}`;
      const { id: number_id } = await numbers.register(orgId, { phone_number: to, agent_id: agent.id });
      const caller = new LiveCaller({ to, from, id: `live-${callers.length}` });
      callers.push(caller);
      const streams = stt.streams.length;
      telephony.ring(caller);
      return await vi.waitFor(
        async () => {
          const { calls: found } = await calls.list(orgId, { status: 'in-progress', number_id });
          const [call] = found;
          const stream = stt.streams[streams];
          if (call === undefined || stream === undefined) throw new Error('the call was not answered');
          return { id: call.id, caller, stt: stream };
        },
        { interval: 20 },
      );
    },
    async close() {
      clearInterval(sending);
      await service.close();
    },
  };
}

const noRecordings: RecordingStore = {
  create: async () => ({ write() {}, close: async () => {} }),
  open: async () => null,
  delete: async () => false,
};

const talking = {
  first_message: agentWords.greeting,
  stt_config: { provider: 'scripted' },
  llm_config: {
    provider: 'scripted',
    messages: [{ role: 'system' as const, content: 'Be brief.' }],
    tools: [{ type: 'host' as const, name: 'find_table' }],
  },
  tts_config: { provider: 'scripted' },
  // Waits are long enough to be seen.
  speech_config: { silence: { timeout_ms: 600_000 }, endpointing: { min_delay_ms: 2_000, max_delay_ms: 2_500 } },
};
