import { defineTool } from '@va/core';
import type { LanguageModel, LlmRequest } from '@va/core/adapter';
import { scriptedStt, scriptedTts } from '@va/testkit';
import { z } from 'zod';
import { answerTo, type BenchServiceOptions } from '../support/bench-service.ts';
import { hrClock } from '../support/hr-clock.ts';

/** Returns providers and tools for calls in which every turn calls a host tool, and the measured start times. */
export function withTools(turns: readonly string[]): Pick<BenchServiceOptions, 'providers' | 'tools'> & {
  /** Milliseconds from the model's tool call to the start of the tool. */
  readonly startMs: number[];
} {
  const startMs: number[] = [];
  const calledAtMs = new Map<string, number>();
  let next = 0;
  const model: LanguageModel = {
    kind: 'llm',
    id: 'scripted',
    async *stream({ messages }: LlmRequest) {
      const last = messages.at(-1);
      const isAsked = last?.role === 'user' && last.content === 'turn';
      if (!isAsked) {
        yield { type: 'text', text: answerTo(last?.content, 'Okay.') };
        return;
      }
      const id = `call-${next++}`;
      calledAtMs.set(id, hrClock.nowMs());
      yield { type: 'tool-call', call: { id, name: 'look_up', arguments: '{"people":2}' } };
    },
  };
  const lookUp = defineTool({
    name: 'look_up',
    description: 'Looks up a table.',
    parameters: z.object({ people: z.int() }),
    execute(_args, { toolCallId }) {
      startMs.push(hrClock.nowMs() - (calledAtMs.get(toolCallId) ?? Number.NaN));
      return { table: 7 };
    },
  });
  return { providers: [scriptedStt({ turns }), scriptedTts(), model], tools: [lookUp], startMs };
}
