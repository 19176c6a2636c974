/**
 * Reads the body of a response as JSON; null if it is not JSON or incomplete after the timeout. Closes the connection
 * of a body that stalls.
 */
export async function readJsonBody({ body }: Response, timeoutMs: number): Promise<unknown> {
  if (body === null) return null;
  const reader = body.getReader();
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), timeoutMs);
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return JSON.parse(text + decoder.decode());
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
