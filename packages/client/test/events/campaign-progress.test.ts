import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { CampaignProgress } from '../../src/index.ts';
import { clientOf, thrownBy } from '../support/client-of.ts';
import { json, startServer } from '../support/scripted-server.ts';

function progress(fields: object): string {
  const data = { id: 'c1', status: 'running', total_leads: 9, pending_leads: 5, calling_leads: 0, ...fields };
  return `event: progress\ndata: ${JSON.stringify(data)}\n\n`;
}

function stream(text: string, end: 'end' | 'hold' = 'end'): (response: ServerResponse) => void {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(text);
    if (end === 'end') response.end();
  };
}

async function collect(events: AsyncIterable<CampaignProgress>): Promise<string[]> {
  const read: string[] = [];
  for await (const { status, pending_leads: pending } of events) read.push(`${status} ${pending}`);
  return read;
}

describe('campaigns.events', () => {
  it('reconnects when the connection ends, and yields unchanged progress once', async () => {
    const { baseUrl, received } = await startServer(
      stream(progress({})),
      stream(progress({}) + progress({ pending_leads: 4 })),
      json(503, { code: 'unavailable' }),
      (response) => response.destroy(),
      stream(progress({ status: 'cancelled', pending_leads: 0, calling_leads: 1 })),
      stream(progress({ status: 'cancelled', pending_leads: 0 }), 'hold'),
    );
    expect(await collect(clientOf(baseUrl).campaigns.events('c1'))).toEqual([
      'running 5',
      'running 4',
      'cancelled 0',
      'cancelled 0',
    ]);
    expect(received).toHaveLength(6);
    expect(received[0]).toMatchObject({ url: '/voice/api/v1/campaigns/c1/events' });
  });

  it('throws invalid_answer for data that is no progress', async () => {
    const { baseUrl } = await startServer(stream('data: {"status":"running"}\n\n'));
    expect(await thrownBy(clientOf(baseUrl).campaigns.events('c1').next())).toMatchObject({ code: 'invalid_answer' });
  });

  it('throws the reason of its signal', async () => {
    const { baseUrl } = await startServer(stream(progress({}), 'hold'));
    const stopping = new AbortController();
    const events = clientOf(baseUrl).campaigns.events('c1', { signal: stopping.signal });
    await events.next();
    const next = events.next();
    stopping.abort(new Error('enough'));
    expect(await thrownBy(next)).toMatchObject({ message: 'enough' });
  });
});
