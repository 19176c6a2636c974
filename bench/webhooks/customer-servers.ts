import { createServer, type Server } from 'node:http';
import { customers } from './settings.ts';

/** The customers' servers, in their own process. The last one never answers. */

const latenciesMs: number[] = [];
let received = 0;
let answered = 0;
let awaited = Number.POSITIVE_INFINITY;

function serve(isDead: boolean): Promise<number> {
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (isDead) return;
      response.end('{}');
      answered += 1;
      const [, sentAt] = /"sent_at":(\d+(?:\.\d+)?)/.exec(Buffer.concat(chunks).toString()) ?? [];
      // Part of the backlog, whose latency is not measured.
      if (sentAt === undefined) return;
      latenciesMs.push(performance.timeOrigin + performance.now() - Number(sentAt));
      received += 1;
      if (received === awaited) process.send?.(latenciesMs);
    });
  });
  server.keepAliveTimeout = 60_000;
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

const ports = await Promise.all(Array.from({ length: customers + 1 }, (_, n) => serve(n === customers)));
process.send?.(ports);
process.on('message', (count: number | 'count') => {
  if (count === 'count') {
    process.send?.({ answered });
    return;
  }
  latenciesMs.length = 0;
  received = 0;
  awaited = count;
  process.send?.('ready');
});
process.once('disconnect', () => process.exit());
