import { RequestError } from '@va/core';

/** Error response with additional HTTP headers, such as `Allow`. */
export class HttpError extends RequestError {
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>>) {
    super(status, code, message);
    this.headers = headers;
  }
}
