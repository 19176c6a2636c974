import type { HttpResponse } from '../message/http-response.ts';

/** Converts a response of the engine to a Fetch response. */
export function toResponse({ status, headers, body }: HttpResponse): Response {
  // Copies the bytes: their type allows shared memory, which a Response does not accept.
  const content = body instanceof Uint8Array ? new Uint8Array(body) : body;
  return new Response(content, { status, headers });
}
