import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { providerConformance, type Trouble } from '@va/testkit/providers';
import { describe, it } from 'vitest';
import { linesModel } from './lines-model.ts';

/** Stand-in for the model's server. */
async function startServer() {
  const troubles: Trouble[] = [];
  const server = createServer((request, response) => {
    request.resume();
    const trouble = troubles.shift();
    if (trouble === 'refusal') response.writeHead(401).end();
    else if (trouble === 'unavailable') response.writeHead(503).end();
    else if (trouble === 'garbage') response.end('{"text":5}\n[]\n{');
    else response.end('{"text":"Good "}\n{"text":"morning."}\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, troubles, close };
}

providerConformance(
  { describe, it },
  {
    name: 'lines',
    kind: 'llm',
    troubles: ['refusal', 'unavailable', 'garbage'],
    async open() {
      const { host, troubles, close } = await startServer();
      return {
        host,
        provider: (at) => linesModel({ url: `http://${at}/chat`, apiKey: 'key' }),
        trouble: (...next) => troubles.push(...next),
        close,
      };
    },
  },
);
