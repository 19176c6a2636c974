import { RequestError } from '../errors.ts';
import { isUuid } from '../ids.ts';

/** Resources that a 404 can name; its code is `<resource>_not_found`. */
export type Resource =
  | 'agent'
  | 'analysis_template'
  | 'api_key'
  | 'byok_key'
  | 'call'
  | 'campaign'
  | 'do_not_call'
  | 'domain'
  | 'lead'
  | 'organization'
  | 'phone_number'
  | 'publishable_key'
  | 'recording'
  | 'sip_trunk'
  | 'tool_template'
  | 'webhook_delivery';

export function notFound(resource: Resource, id: string): RequestError {
  const name = resource.replaceAll('_', ' ');
  return new RequestError(404, `${resource}_not_found`, `There is no ${name} ${JSON.stringify(id.slice(0, 64))}.`);
}

/** Returns the record, or throws a 404 if there is none. */
export function requireFound<T>(record: T | null, resource: Resource, id: string): T {
  if (record === null) throw notFound(resource, id);
  return record;
}

/** Throws a 404 for text that is not a UUID, which databases would refuse to search for. */
export function checkId(resource: Resource, id: string): void {
  if (!isUuid(id)) throw notFound(resource, id);
}
