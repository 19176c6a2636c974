import { CarrierError } from './carrier-error.ts';
import { fieldsOf, type JsonFields, parsed } from './fields.ts';

const timeoutMs = 10_000;
const maxAnswerBytes = 65_536;

export interface CarrierRequest {
  /** Name of the carrier in error messages. */
  readonly carrier: string;
  readonly url: string;
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly authorization: string;
  /** A form body, or a value to send as JSON. */
  readonly body?: URLSearchParams | JsonFields;
  /** Extracts the error code and message from the body of a refused request. */
  readonly refusal: (answer: JsonFields) => { readonly code: unknown; readonly text: unknown };
}

/**
 * Sends a request to a carrier's API and returns the fields of its JSON response.
 * @throws CarrierError for a refused request; otherwise the error of `fetch`
 */
export async function carrierRequest(request: CarrierRequest): Promise<JsonFields> {
  const { carrier, url, method, authorization, body, refusal } = request;
  const isForm = body instanceof URLSearchParams;
  const response = await fetch(url, {
    method,
    redirect: 'error',
    headers: { authorization, ...(body !== undefined && !isForm && { 'content-type': 'application/json' }) },
    signal: AbortSignal.timeout(timeoutMs),
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  });
  const answer = parsed(await boundedText(response, carrier)) ?? {};
  if (response.ok) return answer;
  const { code, text } = refusal(answer);
  const said = typeof text === 'string' ? text.slice(0, 300) : `HTTP status ${response.status}`;
  const vendorCode = typeof code === 'string' || typeof code === 'number' ? String(code).slice(0, 100) : null;
  throw new CarrierError(response.status, vendorCode, `${carrier} refused: ${said}`);
}

/** Returns the first error of the list that several carriers use for error responses. */
export function firstOf(errors: unknown): JsonFields {
  return Array.isArray(errors) ? fieldsOf(errors[0]) : {};
}

async function boundedText(response: Response, carrier: string): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxAnswerBytes) throw new CarrierError(502, null, `${carrier} returned more than 64 KiB.`);
  }
  return text;
}
