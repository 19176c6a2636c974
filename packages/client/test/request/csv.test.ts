import { describe, expect, it } from 'vitest';
import { clientOf, thrownBy } from '../support/client-of.ts';
import { hangUp, json, startServer } from '../support/scripted-server.ts';

const text = 'phone_number,name\n+31612345678,Zoë\n+31612345679,Jan\n';

describe('leads.import', () => {
  it('sends a stream again when the request is repeated', async () => {
    const { baseUrl, received } = await startServer(hangUp, json(200, { created: 2 }));
    await clientOf(baseUrl).leads.import('c1', new Blob([text]).stream());
    expect(received.map(({ body }) => body)).toEqual([text, text]);
    expect(received[1]?.headers).toMatchObject({
      'content-type': 'text/csv',
      'idempotency-key': received[0]?.headers['idempotency-key'],
    });
  });

  it('throws the error of a stream, and sends nothing', async () => {
    const { baseUrl, received } = await startServer(json(200, {}));
    const broken = (async function* (): AsyncGenerator<string> {
      yield 'phone_number\n';
      throw new Error('The disk is gone.');
    })();
    expect(await thrownBy(clientOf(baseUrl).leads.import('c1', broken))).toHaveProperty('message', 'The disk is gone.');
    expect(received).toHaveLength(0);
  });
});
