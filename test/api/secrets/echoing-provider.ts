import { createServer, type Server } from 'node:http';

/** A model server that rejects every key and repeats it in the error. */
export class EchoingProvider {
  readonly keys: string[] = [];
  readonly #server: Server;
  readonly url: string;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async start(): Promise<EchoingProvider> {
    const server = createServer((request, response) => {
      const key = request.headers.authorization?.replace('Bearer ', '') ?? '';
      provider.keys.push(key);
      request.resume();
      const error = {
        message: `Incorrect API key provided: ${key}.`,
        type: 'invalid_request_error',
        code: 'invalid_api_key',
      };
      response.writeHead(401, { 'content-type': 'application/json', 'x-key': key }).end(JSON.stringify({ error }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
    const provider = new EchoingProvider(server, `http://127.0.0.1:${address.port}/v1`);
    return provider;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
