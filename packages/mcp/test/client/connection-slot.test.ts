import { silentLogger } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { McpConnection } from '../../src/client/connection.ts';
import { ConnectionSlot } from '../../src/client/connection-slot.ts';

class FakeConnection {
  isClosed = false;

  close(): void {
    this.isClosed = true;
  }
}

/** A slot whose connections open when the test says so. */
function setUp() {
  const attempts: {
    readonly timeoutMs: number;
    readonly resolve: () => FakeConnection;
    readonly reject: () => void;
  }[] = [];
  const slot = new ConnectionSlot(
    (timeoutMs) =>
      new Promise<McpConnection>((resolve, reject) => {
        attempts.push({
          timeoutMs,
          resolve: () => {
            const connection = new FakeConnection();
            resolve(connection as unknown as McpConnection);
            return connection;
          },
          reject: () => reject(new Error('refused')),
        });
      }),
  );
  return { slot, attempts };
}

describe('ConnectionSlot', () => {
  it('opens one connection for concurrent callers, and keeps it', async () => {
    const { slot, attempts } = setUp();
    const both = [slot.get(1_000), slot.get(2_000)];
    const connection = attempts[0]?.resolve();
    expect(await Promise.all(both)).toEqual([connection, connection]);
    expect(await slot.get(3_000)).toBe(connection);
    expect(attempts.map(({ timeoutMs }) => timeoutMs)).toEqual([1_000]);
  });

  it('rejects all waiting callers when opening fails, and tries again for the next one', async () => {
    const { slot, attempts } = setUp();
    const both = [slot.get(1_000), slot.get(1_000)];
    attempts[0]?.reject();
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = slot.get(1_000);
    const connection = attempts[1]?.resolve();
    expect(await next).toBe(connection);
  });

  it('opens another connection after one that has ended or is discarded', async () => {
    const { slot, attempts } = setUp();
    const first = slot.get(1_000);
    const ended = attempts[0]?.resolve();
    await first;
    ended?.close();
    const second = slot.get(1_000);
    const discarded = attempts[1]?.resolve();
    slot.discard(await second);
    const third = slot.get(1_000);
    const last = attempts[2]?.resolve();
    expect(await third).toBe(last);
    expect(last).not.toBe(discarded);
  });

  it('keeps its connection when an earlier one is discarded', async () => {
    const { slot, attempts } = setUp();
    const first = slot.get(1_000);
    const ended = attempts[0]?.resolve();
    const earlier = await first;
    ended?.close();
    const second = slot.get(1_000);
    const current = attempts[1]?.resolve();
    await second;
    slot.discard(earlier);
    expect(await slot.get(1_000)).toBe(current);
    expect(attempts).toHaveLength(2);
  });

  it('closes its connection, also one that is being opened', async () => {
    const open = setUp();
    const getting = open.slot.get(1_000);
    const connection = open.attempts[0]?.resolve();
    await getting;
    open.slot.close(silentLogger);
    expect(connection?.isClosed).toBe(true);

    const opening = setUp();
    const waiting = opening.slot.get(1_000);
    opening.slot.close(silentLogger);
    const late = opening.attempts[0]?.resolve();
    await waiting;
    expect(late?.isClosed).toBe(true);
  });

  it('ignores after close a connection that fails to open', async () => {
    const { slot, attempts } = setUp();
    const waiting = slot.get(1_000);
    slot.close(silentLogger);
    attempts[0]?.reject();
    await expect(waiting).rejects.toThrow('refused');
  });
});
