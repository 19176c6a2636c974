import { RequestError } from '@va/core';
import type { RequestBody } from '../message/request-body.ts';

/** A request body that a parser of the host consumed, keeping only the parsed value. */
export class ParsedBody implements RequestBody {
  readonly parsed: { readonly value: unknown };
  readonly isEncoded = false;

  constructor(value: unknown) {
    this.parsed = { value };
  }

  async bytes(): Promise<Uint8Array> {
    try {
      return Buffer.from(JSON.stringify(this.parsed.value) ?? '');
    } catch {
      throw new RequestError(400, 'invalid_json', 'The body is nested too deeply.');
    }
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    yield await this.bytes();
  }
}
