import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { LocalHttpServer, parseObject } from './local-http-server.ts';
import { newResendDomain, type ResendDomain, type ResendStatus } from './resend-domains.ts';

export type ResendFault =
  /** An error response; `name` is one of the service's error names. */
  | { readonly status: number; readonly name?: string; readonly retryAfterSeconds?: number }
  /** Never responds. */
  | 'hang'
  /** Closes the connection. */
  | 'break'
  /** Responds 200 with text that is not JSON. */
  | 'garbage'
  /** Responds 200 with JSON of another shape. */
  | 'other-shape';

export interface ResendRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

export interface ResendServerOptions {
  readonly apiKeys?: readonly string[];
  /** Keys that may only send mails. */
  readonly sendingKeys?: readonly string[];
}

interface ResendReply {
  readonly status: number;
  readonly body: unknown;
}

const domainName = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/;
const regions = ['us-east-1', 'eu-west-1', 'sa-east-1', 'ap-northeast-1'];
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The domains of Resend's REST API: create, list in pages, retrieve, verify and delete, with its error responses. A
 * domain's state changes when `settle` is called. Mails are accepted too; one with a known idempotency key is not sent
 * again.
 * @see https://resend.com/docs/api-reference/domains/create-domain
 */
export class ResendServer {
  readonly requests: ResendRequest[] = [];
  /** In order of creation. */
  readonly domains: ResendDomain[] = [];
  /** Accepted mails in order. */
  readonly mails: Record<string, unknown>[] = [];
  readonly #mailKeys = new Set<string>();
  readonly #server = new LocalHttpServer();
  readonly #faults: (ResendFault | null)[] = [];
  readonly #options: ResendServerOptions;
  #ids = 0;

  constructor(options: ResendServerOptions = {}) {
    this.#options = options;
  }

  static async start(options: ResendServerOptions = {}): Promise<ResendServer> {
    const server = new ResendServer(options);
    server.#server.http.on('request', (request, response) => void server.#serve(request, response));
    await server.#server.listen();
    return server;
  }

  /** Base URL for the client. */
  get url(): string {
    return `http://${this.#server.host}`;
  }

  /** Fails the next requests, one fault each; `null` lets one succeed. */
  failNext(...faults: (ResendFault | null)[]): void {
    this.#faults.push(...faults);
  }

  /** Adds a domain to the account, as a user does in the dashboard. */
  create(name: string, region = 'us-east-1'): ResendDomain {
    this.#ids++;
    const domain = newResendDomain(`d91cd9bd-1176-453e-8fc1-${String(this.#ids).padStart(12, '0')}`, name, region);
    this.domains.push(domain);
    return domain;
  }

  /** Sets the result of a check: the domain's status, and those of its records in order. */
  settle(name: string, status: ResendStatus, recordStatuses: readonly ResendStatus[] = []): void {
    const domain = this.domains.find((each) => each.name === name);
    if (domain === undefined) throw new Error(`no domain ${name}`);
    domain.status = status;
    for (const [at, record] of domain.records.entries()) record.status = recordStatuses[at] ?? status;
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = parseObject(Buffer.concat(chunks).toString('utf8'));
    const { method = '', url: path = '', headers } = request;
    this.requests.push({ method, path, headers, body });
    const fault = this.#faults.shift() ?? null;
    if (fault === 'hang') return;
    if (fault === 'break') return void response.destroy();
    if (fault === 'garbage') return void response.writeHead(200).end('<html>');
    if (fault !== null && fault !== 'other-shape' && fault.retryAfterSeconds !== undefined) {
      response.setHeader('retry-after', fault.retryAfterSeconds);
    }
    const { status, body: answer } = fault === null ? this.#answer(method, path, headers, body) : faulty(fault);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  #answer(method: string, path: string, headers: IncomingHttpHeaders, body: Record<string, unknown>): ResendReply {
    const refused = this.#refuse(headers);
    if (refused !== null) return refused;
    const { pathname, searchParams } = new URL(path, 'http://server');
    const [, id, action] = /^\/domains(?:\/([^/]+))?(?:\/(verify))?$/.exec(pathname) ?? [];
    if (pathname === '/emails' && method === 'POST') return this.#send(headers, body);
    if (!pathname.startsWith('/domains')) return failure(404, 'not_found', 'The requested endpoint does not exist.');
    if (id === undefined) {
      if (method === 'POST') return this.#create(body);
      if (method === 'GET') return this.#list(searchParams);
      return failure(405, 'method_not_allowed', 'Method is not allowed for the requested path.');
    }
    if (!uuid.test(id)) return failure(422, 'validation_error', 'The `id` must be a valid UUID.');
    const domain = this.domains.find((each) => each.id === id);
    if (domain === undefined) return failure(404, 'not_found', 'Domain not found');
    if (action === 'verify' && method === 'POST') return this.#verify(domain);
    if (action === undefined && method === 'GET') return { status: 200, body: { object: 'domain', ...domain } };
    if (action === undefined && method === 'DELETE') {
      this.domains.splice(this.domains.indexOf(domain), 1);
      return { status: 200, body: { object: 'domain', id, deleted: true } };
    }
    return failure(405, 'method_not_allowed', 'Method is not allowed for the requested path.');
  }

  #refuse({ authorization }: IncomingHttpHeaders): ResendReply | null {
    const { apiKeys = ['re_test'], sendingKeys = [] } = this.#options;
    const key = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
    if (key === undefined) return failure(401, 'missing_api_key', 'Missing API Key in the authorization header');
    if (sendingKeys.includes(key)) {
      return failure(401, 'restricted_api_key', 'This API key is restricted to only send emails');
    }
    return apiKeys.includes(key) ? null : failure(403, 'invalid_api_key', 'API key is invalid');
  }

  /** Accepts a mail. A known idempotency key returns the first response without sending another mail. */
  #send(headers: IncomingHttpHeaders, body: Record<string, unknown>): ResendReply {
    const missing = ['from', 'to', 'subject'].find((name) => body[name] === undefined);
    if (missing !== undefined) return failure(422, 'missing_required_field', `Missing \`${missing}\` field.`);
    const key = String(headers['idempotency-key'] ?? `none ${this.mails.length}`);
    const known = [...this.#mailKeys].indexOf(key);
    if (known < 0) {
      this.#mailKeys.add(key);
      this.mails.push(body);
    }
    const id = `49a3999c-0ce1-4ea6-ab68-${String(known < 0 ? this.mails.length : known + 1).padStart(12, '0')}`;
    return { status: 200, body: { id } };
  }

  #create({ name, region = 'us-east-1' }: Record<string, unknown>): ResendReply {
    if (typeof name !== 'string') return failure(422, 'missing_required_field', 'Missing `name` field.');
    if (!domainName.test(name)) return failure(422, 'validation_error', `Invalid \`name\` field: ${name}`);
    if (typeof region !== 'string' || !regions.includes(region)) {
      return failure(422, 'invalid_region', `Region must be ${regions.join(' | ')}`);
    }
    if (this.domains.some((each) => each.name === name)) {
      return failure(403, 'validation_error', `The ${name} domain has been registered already.`);
    }
    return { status: 201, body: this.create(name, region) };
  }

  /** Returns a page of the domains, newest first. */
  #list(query: URLSearchParams): ResendReply {
    const limit = Number(query.get('limit') ?? 20);
    if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
      return failure(422, 'validation_error', 'The pagination `limit` must be a number between 1 and 100.');
    }
    const all = this.domains.map(({ records: _, ...listed }) => listed).reverse();
    const after = query.get('after');
    const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const data = all.slice(from, from + limit);
    return { status: 200, body: { object: 'list', has_more: from + limit < all.length, data } };
  }

  #verify(domain: ResendDomain): ResendReply {
    const begun = (status: ResendStatus): ResendStatus => (status === 'verified' ? status : 'pending');
    domain.status = begun(domain.status);
    for (const record of domain.records) record.status = begun(record.status);
    return { status: 200, body: { object: 'domain', id: domain.id } };
  }
}

function failure(statusCode: number, name: string, message: string): ResendReply {
  return { status: statusCode, body: { statusCode, message, name } };
}

function faulty(fault: Exclude<ResendFault, string> | 'other-shape'): ResendReply {
  if (fault === 'other-shape') return { status: 200, body: { object: 'domain', id: 7, records: 'none' } };
  return failure(fault.status, fault.name ?? 'application_error', `Fault ${fault.status}`);
}
