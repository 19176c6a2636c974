import { type ChatDialect, type ChatError, promptTokens, wordsOf } from './script.ts';

const statuses: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

/**
 * `streamGenerateContent` of the Gemini API.
 * @see https://ai.google.dev/api/generate-content
 */
export const generateContent: ChatDialect = {
  basePath: '/v1beta',

  refusalOf({ path, headers, body }) {
    if (!/^\/v1beta\/models\/[^/:]+:streamGenerateContent\?alt=sse$/.test(path)) return invalid('Not found', 404);
    if (headers['x-goog-api-key'] === undefined) return invalid('Method does not allow unregistered callers', 403);
    return refusalOfContents(Array.isArray(body.contents) ? body.contents : [], path.includes('/gemini-3'));
  },

  errorBody: ({ status, type, message }) => ({
    error: { code: status, message, status: type === '' ? (statuses[status] ?? 'INTERNAL') : type },
  }),

  eventsOf({ text, toolCalls = [], cachedTokens = 0 }, { path }) {
    const model = /models\/([^/:]+)/.exec(path)?.[1];
    const words = wordsOf(text);
    const candidates = words.length + 10 * toolCalls.length;
    const usageMetadata = {
      promptTokenCount: promptTokens,
      ...(cachedTokens > 0 && { cachedContentTokenCount: cachedTokens }),
      candidatesTokenCount: candidates,
      totalTokenCount: promptTokens + candidates,
    };
    const chunk = (parts: readonly object[], finishReason?: string): object => ({
      candidates: [{ content: { parts, role: 'model' }, ...(finishReason && { finishReason }), index: 0 }],
      usageMetadata,
      modelVersion: model,
      responseId: 'response-1',
    });
    const signed = (at: number): object => (at === 0 ? { thoughtSignature: 'c2lnbmF0dXJl' } : {});
    const calls = toolCalls.map(({ id, name, input }, at) => ({
      functionCall: { id, name, args: input },
      ...signed(at),
    }));
    return {
      opening: [],
      content: [...words.map((word) => chunk([{ text: word }])), ...calls.map((call) => chunk([call]))],
      ending: [chunk([{ text: '' }], 'STOP')],
    };
  },
};

/**
 * Returns the error for contents that Gemini refuses, or null. The last turn must not be of the model. Function calls
 * need a turn of the user or of function responses before them, as many responses in the next turn, and a signature
 * with Gemini 3.
 */
function refusalOfContents(contents: readonly Record<string, unknown>[], isGemini3: boolean): ChatError | null {
  if (contents.length === 0) return invalid('* GenerateContentRequest.contents: contents is not specified');
  if (contents.at(-1)?.role === 'model') return invalid('Requests ending with a model turn are not supported.');
  for (const [at, content] of contents.entries()) {
    const calls = partsOf(content).filter((part) => 'functionCall' in part);
    if (calls.length === 0) continue;
    if (contents[at - 1]?.role === undefined || contents[at - 1]?.role === 'model') {
      const where = 'immediately after a user turn or after a function response turn.';
      return invalid(`Please ensure that function call turn comes ${where}`);
    }
    const responses = partsOf(contents[at + 1]).filter((part) => 'functionResponse' in part);
    if (responses.length !== calls.length) {
      const equal = 'is equal to the number of function call parts of the function call turn.';
      return invalid(`Please ensure that the number of function response parts ${equal}`);
    }
    if (isGemini3 && calls[0]?.thoughtSignature === undefined) {
      return invalid('Function call is missing a thought_signature in functionCall parts.');
    }
  }
  return null;
}

function partsOf(content: Record<string, unknown> | undefined): Record<string, unknown>[] {
  return Array.isArray(content?.parts) ? content.parts : [];
}

function invalid(message: string, status = 400): ChatError {
  return { status, type: statuses[status] ?? 'INTERNAL', message };
}
