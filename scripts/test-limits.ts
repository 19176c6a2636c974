// Limits that end a test that would fail anyway. They assert nothing about speed, so they are far above the time that
// any test takes: several runs share the processors of a machine, and beside them a database that is created in 10 s
// took 105 s. A test states its own limit only if it needs more.

/** The limit of a test or hook. */
export const hangingAfterMs = 240_000;
/** The limit of a wait for a condition (`vi.waitFor`, `vi.waitUntil`, `expect.poll`, a locator of a page). */
export const waitMs = 30_000;
