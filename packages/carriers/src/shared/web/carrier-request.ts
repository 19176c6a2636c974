import { CarrierError } from './carrier-error.ts';
import { type Fields, fieldsOf, parsed } from './fields.ts';

const timeoutMs = 10_000;
const maxAnswerBytes = 65_536;

export interface CarrierRequest {
  /** Name of the carrier in messages. */
  readonly carrier: string;
  readonly url: string;
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly authorization: string;
  /** A form, or a value that is sent as JSON. */
  readonly body?: URLSearchParams | Fields;
  /** Returns the code and the text of a refusal. */
  readonly refusal: (answer: Fields) => { readonly code: unknown; readonly text: unknown };
}

/**
 * Sends a request to a carrier's API and returns the fields of its JSON answer.
 * @throws CarrierError, or an error of the connection
 */
export async function carrierRequest(request: CarrierRequest): Promise<Fields> {
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

/** Returns the first of a list of errors, as several carriers report them. */
export function firstOf(errors: unknown): Fields {
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
