import type { PublishableKey, PublishableKeyRecord } from '../../domain/accounts/publishable-key.ts';
import type { NewWebCall } from '../../domain/calls/web-call.ts';
import { RequestError } from '../../errors.ts';
import { invalidInput } from '../../input/parse-input.ts';
import type { Storage } from '../../ports/storage/storage.ts';

/** A page that asks for a call with a publishable key. */
export interface CallingPage {
  readonly publishableKey: PublishableKey;
  /** Value of the header `Origin`; null if the request has none. */
  readonly origin: string | null;
}

/** Longest text of a variable, which is usually part of the prompt. */
const maxVariableLength = 500;

/** Returns the origin. @throws RequestError 403 `forbidden` if the key does not allow pages of the origin */
export function requireOrigin(key: Pick<PublishableKey, 'origins'>, origin: string | null): string {
  if (origin !== null && key.origins.includes(origin)) return origin;
  const from = origin === null ? 'requests without an Origin' : `pages of ${origin.slice(0, 255)}`;
  throw new RequestError(403, 'forbidden', `The publishable key does not allow ${from}.`);
}

/**
 * Checks the request of a page against the stored state of its publishable key, and returns the stored key.
 * @throws RequestError 400 for metadata and for variables that the key does not allow, 401 `api_key_revoked`, 403
 *   `forbidden` for another origin or agent
 */
export async function allowedKey(
  storage: Pick<Storage, 'publishableKeys'>,
  { publishableKey: { id, org_id: orgId }, origin }: CallingPage,
  { agent_id: agentId, variables = {}, metadata }: NewWebCall,
): Promise<PublishableKeyRecord> {
  const key = await storage.publishableKeys.get(orgId, id);
  if (key === null || key.revoked_at !== null) {
    throw new RequestError(401, 'api_key_revoked', 'The publishable key has been revoked.');
  }
  requireOrigin(key, origin);
  if (!key.agents.includes(agentId)) {
    throw new RequestError(403, 'forbidden', `The publishable key does not allow the agent ${agentId}.`);
  }
  if (metadata !== undefined) {
    const message = 'is not accepted from pages; let the key allow a variable instead';
    throw invalidInput([{ path: 'metadata', code: 'invalid_field', message }]);
  }
  const faults = Object.entries(variables).flatMap(([name, value]) => {
    const problem = key.variables.includes(name) ? variableProblem(value) : 'is not a variable of the publishable key';
    return problem === null ? [] : [{ path: `variables.${name}`, code: 'invalid_field', message: problem }];
  });
  if (faults.length > 0) throw invalidInput(faults);
  return key;
}

function variableProblem(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return null;
  if (typeof value === 'string' && value.length <= maxVariableLength) return null;
  return `expected a number, a boolean, or a text of at most ${maxVariableLength} characters`;
}
