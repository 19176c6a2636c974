import type { Tenant, TenantRequest } from '../support/tenant.ts';

export interface RefusedRequest extends TenantRequest {
  readonly method: string;
  readonly path: string;
}

/** A request that is refused, and the expected error. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  /** The cause of the error. */
  readonly when: string;
  /** The only invalid field; null when there is none, or several. */
  readonly param: string | null;
  /** `path code` of each invalid field. */
  readonly faults: readonly string[];
  readonly headers: Readonly<Record<string, RegExp>>;
  provoke(tenant: Tenant): Promise<RefusedRequest>;
}

type Written = Partial<Omit<Refusal, 'status' | 'code' | 'when' | 'provoke'>>;

export function refusal(
  status: number,
  code: string,
  when: string,
  provoke: Refusal['provoke'],
  { param = null, faults = param === null ? [] : [`${param} ${code}`], headers = {} }: Written = {},
): Refusal {
  return { status, code, when, provoke, param, faults, headers };
}

export const unknownId = '01900000-0000-7000-8000-0000000000ff';
