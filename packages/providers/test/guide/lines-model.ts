import { type LanguageModel, ProviderError, type ProviderFault } from '@va/core/adapter';
import { z } from 'zod';

const optionsSchema = z.object({ max_words: z.int().min(1).max(500).optional() });
const piece = z.object({ text: z.string() });

function faultOf(status: number): ProviderFault {
  if (status === 401 || status === 403) return 'auth';
  return status === 429 || status >= 500 ? 'unavailable' : 'invalid_request';
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') throw new ProviderError('lines', 'connection', 'the reply ended in the middle');
}

/** A model behind HTTP that answers with one JSON object per line: `{"text":"Good "}`. */
export function linesModel({ url, apiKey }: { url: string; apiKey: string }): LanguageModel {
  return {
    kind: 'llm',
    id: 'lines',
    optionsSchema,
    async *stream({ config, messages, apiKey: own, signal }) {
      const { max_words } = optionsSchema.parse(config);
      const headers = { authorization: `Bearer ${own ?? apiKey}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ messages, max_words });
      try {
        const response = await fetch(url, { method: 'POST', headers, body, signal });
        const { status } = response;
        if (!response.ok) throw new ProviderError('lines', faultOf(status), `HTTP ${status}`, { status });
        for await (const line of linesOf(response.body ?? new ReadableStream())) {
          const { success, data } = piece.safeParse(JSON.parse(line));
          if (signal.aborted) return;
          if (!success) throw new ProviderError('lines', 'protocol', 'a line has another shape');
          yield { type: 'text', text: data.text };
        }
      } catch (thrown) {
        if (signal.aborted) return;
        if (thrown instanceof ProviderError) throw thrown;
        const fault = thrown instanceof SyntaxError ? 'protocol' : 'connection';
        throw new ProviderError('lines', fault, 'the request failed', { cause: thrown });
      }
    },
  };
}
