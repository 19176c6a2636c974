import type { z } from 'zod';
import type { Tenant, TenantRequest } from '../support/tenant.ts';

export interface RowRequest extends TenantRequest {
  /** For the placeholders of the path, in their order. */
  readonly params?: readonly string[];
  /** Without its `?`. */
  readonly query?: string;
}

/** One good request of one operation, and its answer. */
export interface Row {
  /** `METHOD /path/{id}`, below `/api/v1`. */
  readonly operation: string;
  readonly title: string;
  /** Makes what the request needs, and the request. */
  request(tenant: Tenant): Promise<RowRequest>;
  readonly status: number;
  /** Null where the answer is no JSON. */
  readonly body: z.ZodType | null;
  /** What of the body's values is certain. */
  readonly has?: object;
  /** Where `Location` points; `null` where there is none. */
  readonly location: RegExp | null;
  /** Undefined where there is no body. */
  readonly contentType: string | undefined;
  /** Whether the operation is for everyone. */
  readonly open: boolean;
}

type Written = Pick<Row, 'body'> &
  Partial<Pick<Row, 'request' | 'status' | 'has' | 'location' | 'contentType' | 'open' | 'title'>>;

export function row(operation: string, written: Written): Row {
  return {
    operation,
    title: 'answers as the contract says',
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

/** The path of a row's request, with its parameters and query. */
export function pathOf({ operation }: Pick<Row, 'operation'>, { params = [], query = '' }: RowRequest): string {
  let next = 0;
  const path = operation.slice(operation.indexOf(' ') + 1).replace(/\{\w+\}/g, () => params[next++] ?? '');
  return query === '' ? path : `${path}?${query}`;
}
