/**
 * Returns a response whose body fails beyond a number of bytes, so that a server cannot fill the memory.
 *
 * @example const response = boundedResponse(await fetch(url), 1_048_576);
 */
export function boundedResponse(response: Response, maxBytes: number): Response {
  if (response.body === null) return response;
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) controller.error(new Error(`The server sent more than ${maxBytes} bytes.`));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(limit), { status, statusText, headers });
}
