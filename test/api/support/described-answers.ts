import type { OpenApiDocument } from '@va/http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Reply } from './exchange.ts';

interface DescribedAnswer {
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

interface DescribedOperation {
  readonly responses: Readonly<Record<string, DescribedAnswer>>;
}

/** Descriptions of the services of this process. Most are the same, and each takes a second to compile. */
const known = new Map<string, DescribedAnswers>();

/** Compares responses with the API description. */
export class DescribedAnswers {
  readonly document: OpenApiDocument;
  // Most schemas check few responses, so compiling them is most of the work: these options make it five times cheaper.
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #paths: readonly { readonly path: string; readonly pattern: RegExp }[];

  private constructor(document: OpenApiDocument) {
    this.document = document;
    formats.default(this.#ajv);
    this.#ajv.addKeyword('x-extensible-enum');
    const { schemas = {} } = document.components as { schemas?: Readonly<Record<string, object>> };
    for (const [name, schema] of Object.entries(schemas)) this.#ajv.addSchema(withNamedRefs(schema), name);
    const paths = Object.keys(this.document.paths).map((path) => ({ path, pattern: patternOf(path) }));
    // Literal segments take precedence over parameters.
    this.#paths = paths.sort((a, b) => (a.path.replaceAll('{', '\uffff') < b.path.replaceAll('{', '\uffff') ? -1 : 1));
  }

  /** @param text the API description as served */
  static of(text: string): DescribedAnswers {
    const before = known.get(text);
    if (before !== undefined) return before;
    const described = new DescribedAnswers(JSON.parse(text));
    known.set(text, described);
    return described;
  }

  /** `METHOD /path/{id}` of every operation. */
  get operations(): string[] {
    return Object.entries(this.document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
  }

  /**
   * Returns the deviations of a response from the description; empty when there are none. Paths are relative to
   * `/api/v1`.
   */
  faultsOf(method: string, path: string, reply: Reply): string[] {
    if (reply.status === 304 || method === 'HEAD' || method === 'OPTIONS') return [];
    const described = this.#operation(method, path.split('?')[0] ?? '');
    const type = reply.headers['content-type'] ?? '';
    const isJson = /[/+]json/.test(type);
    if (described === null) {
      const name = type === 'application/problem+json' ? 'Problem' : 'Error';
      return isJson ? this.#check(name, { $ref: name }, reply.body) : [`${method} ${path} ${reply.status} is ${type}`];
    }
    const { name, operation } = described;
    const answer = operation.responses[reply.status];
    const what = `${name} ${reply.status}`;
    if (answer === undefined) return [`${what} ${reply.text.slice(0, 300)} is not described`];
    if (answer.content === undefined) return reply.text === '' ? [] : [`${what} has a body`];
    const schema = answer.content?.[type];
    if (schema === undefined) return [`${what} as ${type} is not described`];
    if (!isJson || schema.schema === undefined) return [];
    const code = reply.status < 400 ? [] : this.#undescribedCode(what, schema.schema, reply.body);
    return [...code, ...this.#check(`${what} ${type}`, schema.schema, reply.body)];
  }

  #operation(method: string, path: string): { name: string; operation: DescribedOperation } | null {
    if (!isWellFormed(path)) return null;
    const known = this.#paths.find(
      ({ pattern, path: each }) => pattern.test(path) && method.toLowerCase() in this.#of(each),
    );
    const operation = known === undefined ? undefined : this.#of(known.path)[method.toLowerCase()];
    return known === undefined || operation === undefined ? null : { name: `${method} ${known.path}`, operation };
  }

  #of(path: string): Record<string, DescribedOperation> {
    return (this.document.paths[path] ?? {}) as Record<string, DescribedOperation>;
  }

  #undescribedCode(what: string, schema: object, body: { code?: string }): string[] {
    const listed = JSON.stringify(schema).includes(`"${body.code}"`);
    return listed ? [] : [`${what} with the code ${body.code} is not described`];
  }

  #check(what: string, schema: object, body: unknown): string[] {
    let validate = this.#validators.get(what);
    if (validate === undefined) {
      validate = this.#ajv.compile(withNamedRefs(schema));
      this.#validators.set(what, validate);
    }
    if (validate(body)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${what}: ${instancePath} ${message}`);
  }
}

/** Gives each schema of the document its own name, so that it is compiled once. */
function withNamedRefs(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"'));
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
}

function isWellFormed(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
