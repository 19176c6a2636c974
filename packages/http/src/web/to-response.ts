import type { HttpAnswer } from '../engine/http-answer.ts';

export function toResponse({ status, headers, body }: HttpAnswer): Response {
  // The type of a body's bytes says that they may be shared memory, which a Response refuses; they are not.
  const content = body instanceof Uint8Array ? new Uint8Array(body) : body;
  return new Response(content, { status, headers });
}
