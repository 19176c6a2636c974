import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { VoiceAgents } from '@va/core';

const password = process.env.STATUS_PASSWORD;
if (password === undefined || password === '') throw new Error('Set STATUS_PASSWORD to what opens /status.');
const expected = digest(`Basic ${Buffer.from(`status:${password}`).toString('base64')}`);

/** Returns the application's own page, behind its own authentication: the number of live calls. */
export function createStatusPage(va: VoiceAgents): RequestListener {
  return (request, response) => {
    if (request.url !== '/status') response.writeHead(404).end();
    else if (timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) {
      response.end(`Calls: ${va.activeCalls}\n`);
    } else response.writeHead(401, { 'www-authenticate': 'Basic realm="status"' }).end();
  };
}

/** Returns a digest of constant length, so that comparing two takes the same time for any input. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
