import {
  type AddressPolicy,
  boundedResponse,
  createAddressPolicy,
  type LlmRequest,
  modelEndpointFields,
  type OptionIssue,
  ProviderError,
  RefusedTarget,
  systemClock,
  TargetGuard,
} from '@va/core/adapter';
import { Agent, type RequestInfo, type RequestInit, fetch as undiciFetch } from 'undici';
import { z } from 'zod';

/** Maximum of one response: a reply of 50,000 tokens, each in a chunk of its own. */
const maxResponseBytes = 16 * 1024 * 1024;

const endpointSchema = z.object(modelEndpointFields);

/** A customer's server that an agent names: `url`, `headers` and `api_key` of `llm_config`. */
interface AgentEndpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly apiKey: string | undefined;
}

/**
 * Reads the endpoint of a config; null without one.
 * @throws ProviderError `invalid_request` if it is invalid: the conversation must not go to another server instead
 */
export function agentEndpointOf(provider: string, { config }: Pick<LlmRequest, 'config'>): AgentEndpoint | null {
  if (config.url === undefined) return null;
  const { url, headers, api_key } = config;
  const read = endpointSchema.safeParse({ url, headers, api_key });
  if (!read.success || read.data.url === undefined) {
    throw new ProviderError(provider, 'invalid_request', 'llm_config has an invalid url, headers or api_key');
  }
  return { url: read.data.url, headers: read.data.headers ?? {}, apiKey: read.data.api_key };
}

/** Contacts the endpoints of agents: only at addresses of a policy, without redirects and with bounded responses. */
export class AgentEndpoints {
  readonly #guard: TargetGuard;
  readonly #agent: Agent;

  constructor(addresses: AddressPolicy = createAddressPolicy()) {
    this.#guard = new TargetGuard({ clock: systemClock, addresses });
    this.#agent = new Agent({ connect: { lookup: this.#guard.lookup } });
  }

  fetchFor(orgId: string): typeof fetch {
    return async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      await this.#guard.check(url, orgId, init?.signal ?? undefined);
      // The same classes at run time; only the declarations of Node.js and undici differ.
      const options = { ...init, redirect: 'manual', dispatcher: this.#agent } as RequestInit;
      const response = (await undiciFetch(url as RequestInfo, options)) as unknown as Response;
      return boundedResponse(response, maxResponseBytes);
    };
  }

  /**
   * Checks the address of a `url` before it is stored. A host that cannot be looked up passes: each request checks it
   * again.
   */
  async check({ url }: Readonly<Record<string, unknown>>, orgId: string): Promise<readonly OptionIssue[]> {
    if (typeof url !== 'string' || !URL.canParse(url)) return [];
    try {
      await this.#guard.check(new URL(url), orgId);
      return [];
    } catch (thrown) {
      return thrown instanceof RefusedTarget ? [{ path: ['url'], message: thrown.message }] : [];
    }
  }
}
