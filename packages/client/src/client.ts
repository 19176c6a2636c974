import type {
  Agent,
  AgentChanges,
  Call,
  CallDirection,
  CallStatus,
  EndReason,
  NewAgent,
  NewPhoneNumber,
  Pagination,
  PhoneNumber,
  PhoneNumberChanges,
} from '@va/core';
import { type ClientOptions, Transport } from './transport.ts';

export interface PageQuery {
  readonly limit?: number;
  readonly offset?: number;
}

/** Dates are a day in UTC, or an ISO date-time with a zone; an end that is a day includes it. */
export interface CallQuery extends PageQuery {
  readonly status?: CallStatus | readonly CallStatus[];
  readonly start_date?: string;
  readonly end_date?: string;
  readonly agent_id?: string;
  readonly number_id?: string;
  readonly campaign_id?: string;
  readonly direction?: CallDirection;
  readonly phone?: string;
  readonly end_reason?: EndReason;
}

/** The REST API. Every method throws `ApiError` when the service refuses, `ConnectionError` when it cannot be reached. */
export interface Client {
  readonly agents: {
    list(page?: PageQuery): Promise<Agent[]>;
    create(agent: NewAgent): Promise<Agent>;
    get(id: string): Promise<Agent>;
    update(id: string, changes: AgentChanges): Promise<Agent>;
    delete(id: string): Promise<void>;
  };
  readonly numbers: {
    list(page?: PageQuery): Promise<PhoneNumber[]>;
    register(number: NewPhoneNumber): Promise<PhoneNumber>;
    get(id: string): Promise<PhoneNumber>;
    update(id: string, changes: PhoneNumberChanges): Promise<PhoneNumber>;
    delete(id: string): Promise<void>;
  };
  readonly calls: {
    list(query?: CallQuery): Promise<{ calls: Call[]; pagination: Pagination }>;
    get(id: string): Promise<Call>;
    /** The bytes of the stereo WAV. */
    recording(id: string): Promise<ReadableStream<Uint8Array>>;
  };
}

/**
 * @example
 * const client = createClient({ baseUrl: 'https://example.com/voice', apiKey: process.env.VA_API_KEY });
 * const agent = await client.agents.create({ name: 'Reception' });
 */
export function createClient(options: ClientOptions): Client {
  const transport = new Transport(options);
  return { agents: agents(transport), numbers: numbers(transport), calls: calls(transport) };
}

function agents(transport: Transport): Client['agents'] {
  return {
    list: async (page) => (await transport.get<{ agents: Agent[] }>('agents', { ...page })).agents,
    create: async (agent) => (await transport.post<{ agent: Agent }>('agents', agent)).agent,
    get: async (id) => (await transport.get<{ agent: Agent }>(one('agents', id))).agent,
    update: async (id, changes) => (await transport.patch<{ agent: Agent }>(one('agents', id), changes)).agent,
    delete: (id) => transport.delete(one('agents', id)),
  };
}

function numbers(transport: Transport): Client['numbers'] {
  return {
    list: async (page) => (await transport.get<{ numbers: PhoneNumber[] }>('numbers', { ...page })).numbers,
    register: async (number) => (await transport.post<{ number: PhoneNumber }>('numbers', number)).number,
    get: async (id) => (await transport.get<{ number: PhoneNumber }>(one('numbers', id))).number,
    update: async (id, changes) => (await transport.patch<{ number: PhoneNumber }>(one('numbers', id), changes)).number,
    delete: (id) => transport.delete(one('numbers', id)),
  };
}

function calls(transport: Transport): Client['calls'] {
  return {
    async list(query = {}) {
      const { status, ...rest } = query;
      return await transport.get('calls', { ...rest, ...(status === undefined ? {} : { status: String(status) }) });
    },
    get: (id) => transport.get(one('calls', id)),
    recording: (id) => transport.stream(`${one('calls', id)}/recording`),
  };
}

function one(collection: string, id: string): string {
  return `${collection}/${encodeURIComponent(id)}`;
}
