import { describe, expect, it } from 'vitest';
import { until } from '../options.ts';
import { dialects, endings, saidIn, setUp } from '../realtime/support.ts';

const withTools = { withTools: true };
const type = 'invalid_request_error';

describe.each(dialects)('errors of %s about its active response', (dialect) => {
  it('do not end the session when a response is active already', async () => {
    const { server, session, events, ended } = await setUp(dialect, {
      faults: [{ error: { type, code: 'conversation_already_has_active_response' }, to: 'response.create' }],
      replies: [{ text: 'First.' }, { text: 'Second.' }],
    });
    let hasEnded = false;
    void ended.then(
      () => (hasEnded = true),
      () => (hasEnded = true),
    );
    session.respond(1, withTools);
    session.respond(2, withTools);
    await until(() => endings(events).some((ending) => ending.startsWith('2 ')));
    expect(endings(events).at(-1)).toBe('2 completed');
    expect(saidIn(events, 2)).not.toBe('');
    expect(server.connections).toHaveLength(1);
    expect(hasEnded).toBe(false);
  });

  it('do not end the session when there is no response to cancel', async () => {
    const { server, session, events } = await setUp(dialect, {
      faults: [{ error: { type, code: 'response_cancel_not_active' }, to: 'response.cancel' }],
      replies: [{ text: 'Held back here', holdAfterWords: 1 }, { text: 'Second.' }],
    });
    session.respond(1, withTools);
    await until(() => events.some((event) => event.type === 'audio'));
    session.cancel(1);
    session.cancel(1);
    await until(() => endings(events).length === 1);
    // By then the provider had finished the response.
    server.release();
    session.cancel(1);
    session.respond(2, withTools);
    await until(() => endings(events).length === 2);
    session.cancel(2);
    expect(endings(events)).toEqual(['1 cancelled', '2 completed']);
    expect(server.connections).toHaveLength(1);
  });
});
