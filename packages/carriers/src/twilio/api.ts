import type { CarrierAccess } from '@va/core/adapter';
import type { CallCommands } from '../shared/call/call-commands.ts';
import { CarrierError } from '../shared/web/carrier-error.ts';
import { carrierRequest } from '../shared/web/carrier-request.ts';
import type { JsonFields } from '../shared/web/fields.ts';
import { dial } from './twiml.ts';

/** The calls of one account in Twilio's REST API. @see https://www.twilio.com/docs/voice/api/call-resource */
export class TwilioApi implements CallCommands {
  readonly #access: CarrierAccess<'twilio'>;
  readonly #baseUrl: string;

  /** @param baseUrl replaces the URL of Twilio's API, such as by that of a compatible carrier */
  constructor(access: CarrierAccess<'twilio'>, baseUrl: string | undefined) {
    this.#access = access;
    this.#baseUrl = (baseUrl ?? addressOf(access.account)).replace(/\/$/, '');
  }

  /**
   * Places a call and returns its SID.
   * @throws CarrierError for a refused request; otherwise the error of `fetch`
   */
  async create(fields: readonly (readonly [string, string])[]): Promise<string> {
    const { sid } = await this.#post('Calls.json', fields);
    if (typeof sid !== 'string') throw new CarrierError(502, null, 'Twilio returned a call without a SID.');
    return sid;
  }

  async hangUp(callSid: string): Promise<void> {
    await this.#update(callSid, ['Status', 'completed']);
  }

  async transfer(callSid: string, destination: string, callerNumber: string): Promise<null> {
    await this.#update(callSid, ['Twiml', dial(destination, callerNumber)]);
    return null;
  }

  async #update(callSid: string, field: readonly [string, string]): Promise<void> {
    await this.#post(`Calls/${encodeURIComponent(callSid)}.json`, [field]);
  }

  async #post(path: string, fields: readonly (readonly [string, string])[]): Promise<JsonFields> {
    const { account, credentials } = this.#access;
    const { sid, secret } = credentials.api_key ?? { sid: account.account_sid, secret: credentials.auth_token };
    const body = new URLSearchParams();
    for (const [name, value] of fields) body.append(name, value);
    return await carrierRequest({
      carrier: 'Twilio',
      method: 'POST',
      url: `${this.#baseUrl}/2010-04-01/Accounts/${account.account_sid}/${path}`,
      authorization: `Basic ${Buffer.from(`${sid}:${secret}`).toString('base64')}`,
      body,
      refusal: ({ code, message }) => ({ code, text: message }),
    });
  }
}

function addressOf({ region, edge }: CarrierAccess<'twilio'>['account']): string {
  const place = [edge, region].filter((part) => part !== undefined).map((part) => `${part}.`);
  return `https://api.${place.join('')}twilio.com`;
}
