import { VaError } from '@va/core';
import type { CarrierAccess } from '@va/core/adapter';

const timeoutMs = 10_000;
const maxAnswerBytes = 65_536;

/** A request that Twilio refused. `twilioCode` is the code of its error dictionary, such as 21211. */
export class TwilioError extends VaError {
  readonly status: number;
  readonly twilioCode: number | null;

  constructor(status: number, twilioCode: number | null, message: string) {
    super('carrier_refused', message);
    this.status = status;
    this.twilioCode = twilioCode;
  }
}

/** The calls of one account in Twilio's REST API. @see https://www.twilio.com/docs/voice/api/call-resource */
export class TwilioApi {
  readonly #access: CarrierAccess<'twilio'>;
  readonly #baseUrl: string;

  /** @param baseUrl replaces Twilio's address, such as that of a compatible carrier */
  constructor(access: CarrierAccess<'twilio'>, baseUrl: string | undefined) {
    this.#access = access;
    this.#baseUrl = (baseUrl ?? addressOf(access.account)).replace(/\/$/, '');
  }

  /**
   * Places a call and returns its SID.
   * @throws TwilioError, or an error of the connection
   */
  async create(fields: readonly (readonly [string, string])[], signal: AbortSignal): Promise<string> {
    const { sid } = await this.#post('Calls.json', fields, signal);
    if (typeof sid !== 'string') throw new TwilioError(502, null, 'Twilio returned a call without a SID.');
    return sid;
  }

  /**
   * Changes a live call, such as its TwiML or its status.
   * @throws TwilioError, or an error of the connection
   */
  async update(callSid: string, fields: Readonly<Record<string, string>>): Promise<void> {
    await this.#post(`Calls/${encodeURIComponent(callSid)}.json`, Object.entries(fields));
  }

  async #post(
    path: string,
    fields: readonly (readonly [string, string])[],
    signal?: AbortSignal,
  ): Promise<Record<string, unknown>> {
    const { account, credentials } = this.#access;
    const { sid, secret } = credentials.api_key ?? { sid: account.account_sid, secret: credentials.auth_token };
    const form = new URLSearchParams();
    for (const [name, value] of fields) form.append(name, value);
    const limit = AbortSignal.timeout(timeoutMs);
    const response = await fetch(`${this.#baseUrl}/2010-04-01/Accounts/${account.account_sid}/${path}`, {
      method: 'POST',
      redirect: 'error',
      headers: { authorization: `Basic ${Buffer.from(`${sid}:${secret}`).toString('base64')}` },
      body: form,
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    });
    const answer = readJson(await boundedText(response));
    if (response.ok) return answer;
    const { code, message } = answer;
    const said = typeof message === 'string' ? message.slice(0, 300) : `HTTP status ${response.status}`;
    throw new TwilioError(response.status, typeof code === 'number' ? code : null, `Twilio refused: ${said}`);
  }
}

function addressOf({ region, edge }: CarrierAccess<'twilio'>['account']): string {
  const place = [edge, region].filter((part) => part !== undefined).map((part) => `${part}.`);
  return `https://api.${place.join('')}twilio.com`;
}

async function boundedText(response: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxAnswerBytes) throw new TwilioError(502, null, 'Twilio returned more than 64 KiB.');
  }
  return text;
}

function readJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
