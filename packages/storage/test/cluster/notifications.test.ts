import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Notifications } from '../../src/cluster/notifications.ts';
import type { Listen } from '../../src/sql/connection.ts';

/** A database whose connections the test breaks. */
class Database {
  readonly openings: { broken(): void; payload(text: string): void; isClosed: boolean }[] = [];
  isReachable = true;
  check: () => Promise<void> = async () => {};

  readonly listen: Listen = async (_channel, on) => {
    const opening = { ...on, isClosed: false };
    this.openings.push(opening);
    if (!this.isReachable) throw new Error('unreachable');
    return {
      check: () => this.check(),
      close: () => {
        opening.isClosed = true;
      },
    };
  };
}

describe('Notifications', () => {
  let database: Database;
  let heard: string[];
  let connections: number;
  let notifications: Notifications;

  beforeEach(async () => {
    vi.useFakeTimers();
    database = new Database();
    heard = [];
    connections = 0;
    notifications = new Notifications(database.listen, 'va.nodes', {
      connected: () => {
        connections += 1;
      },
      payload: (text) => heard.push(text),
    });
    await vi.advanceTimersByTimeAsync(0);
  });

  afterEach(async () => {
    await notifications.close();
    vi.useRealTimers();
  });

  it('passes on payloads, and reports its connection', () => {
    database.openings[0]?.payload('a');
    expect([heard, connections]).toEqual([['a'], 1]);
  });

  it('connects again 100 ms after a break, and reports that', async () => {
    database.openings[0]?.broken();
    expect(database.openings[0]?.isClosed).toBe(true);
    await vi.advanceTimersByTimeAsync(99);
    expect(connections).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(connections).toBe(2);
    database.openings[1]?.payload('b');
    expect(heard).toEqual(['b']);
  });

  it('doubles the time between attempts up to 5 s, and begins again once it is connected', async () => {
    database.isReachable = false;
    database.openings[0]?.broken();
    const attempts: number[] = [];
    for (const waitMs of [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]) {
      const before = database.openings.length;
      await vi.advanceTimersByTimeAsync(waitMs - 1);
      attempts.push(database.openings.length - before);
      await vi.advanceTimersByTimeAsync(1);
      attempts.push(database.openings.length - before);
    }
    expect(attempts).toEqual(Array.from({ length: 8 }, () => [0, 1]).flat());
    database.isReachable = true;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(connections).toBe(2);
    database.openings.at(-1)?.broken();
    await vi.advanceTimersByTimeAsync(100);
    expect(connections).toBe(3);
  });

  it.each([
    ['fails', () => Promise.reject(new Error('gone')), 15_000],
    ['is not answered within 10 s', () => new Promise<void>(() => {}), 25_000],
  ])('replaces a connection whose check %s', async (_name, check, afterMs) => {
    database.check = check;
    await vi.advanceTimersByTimeAsync(afterMs - 1);
    expect(database.openings[0]?.isClosed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(database.openings[0]?.isClosed).toBe(true);
    await vi.advanceTimersByTimeAsync(100);
    expect(connections).toBe(2);
  });

  it('keeps a connection whose checks succeed', async () => {
    let checks = 0;
    database.check = async () => {
      checks += 1;
    };
    await vi.advanceTimersByTimeAsync(60_000);
    expect([checks, connections, database.openings[0]?.isClosed]).toEqual([4, 1, false]);
  });

  it('closes its connection, and opens no other one', async () => {
    await notifications.close();
    expect(database.openings[0]?.isClosed).toBe(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(database.openings).toHaveLength(1);
  });

  it('opens no connection after it is closed while it waits for an attempt', async () => {
    database.openings[0]?.broken();
    await notifications.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(database.openings).toHaveLength(1);
  });
});
