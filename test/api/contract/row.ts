import type { z } from 'zod';
import type { Tenant, TenantRequest } from '../support/tenant.ts';

export interface RowRequest extends TenantRequest {
  /** Values of the path's placeholders, in order. */
  readonly params?: readonly string[];
  /** The query string without `?`. */
  readonly query?: string;
}

/** A valid request of one operation, and its response. */
export interface Row {
  /** `METHOD /path/{id}`, relative to `/api/v1`. */
  readonly operation: string;
  readonly title: string;
  /** Creates the records that the request needs, and returns the request. */
  request(tenant: Tenant): Promise<RowRequest>;
  readonly status: number;
  /** Null when the response is not JSON. */
  readonly body: z.ZodType | null;
  /** Values that the body must contain. */
  readonly has?: object;
  /** The expected `Location`; null when there is none. */
  readonly location: RegExp | null;
  /** Undefined when there is no body. */
  readonly contentType: string | undefined;
  /** True if the operation is public. */
  readonly open: boolean;
}

type Written = Pick<Row, 'body'> &
  Partial<Pick<Row, 'request' | 'status' | 'has' | 'location' | 'contentType' | 'open' | 'title'>>;

export function row(operation: string, written: Written): Row {
  return {
    operation,
    title: 'matches the contract',
    request: async () => ({}),
    status: 200,
    location: null,
    contentType: 'application/json',
    open: false,
    ...written,
  };
}

export function methodOf({ operation }: Pick<Row, 'operation'>): string {
  return operation.slice(0, operation.indexOf(' '));
}

/** Returns the path of a row's request, with its parameters and query. */
export function pathOf({ operation }: Pick<Row, 'operation'>, { params = [], query = '' }: RowRequest): string {
  let next = 0;
  const path = operation.slice(operation.indexOf(' ') + 1).replace(/\{\w+\}/g, () => params[next++] ?? '');
  return query === '' ? path : `${path}?${query}`;
}
