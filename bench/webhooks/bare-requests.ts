import { Agent } from 'undici';
import { bodyOf } from './body.ts';
import { batch, deliveries } from './settings.ts';

const agent = new Agent();

/** Sends the requests without queue and storage, with the same concurrency. */
export async function bareRequests(urls: readonly string[]): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let n = next++; n < deliveries; n = next++) await post(urls[n % urls.length] ?? '', bodyOf(n));
  };
  await Promise.all(Array.from({ length: batch }, worker));
}

export async function post(url: string, body: string): Promise<void> {
  const { origin, pathname } = new URL(url);
  const headers = { 'content-type': 'application/json' };
  const answer = await agent.request({ origin, path: pathname, method: 'POST', headers, body });
  await answer.body.dump();
}
