import { expect, it } from 'vitest';
import { pageCall as begun, fakePage } from './fake-page.ts';

it('web call › ends 10 s after its connection was lost', async () => {
  const { clock, call, socket, ends, released } = begun();
  const leg = await call.answer();
  socket.terminate();
  expect(leg.sending).toBe(false);
  await clock.advance(9_900);
  expect(ends).toEqual([]);
  await clock.advance(200);
  expect(ends).toMatchObject([{ cause: 'transport-error' }]);
  expect(released()).toBe(1);
  expect(clock.pending).toBe(0);
});

it('web call › closes a connection that is silent for 4 s, and can be resumed', async () => {
  const { clock, call, socket, ends } = begun();
  await call.answer();
  await clock.advance(3_900);
  expect(socket.readyState).toBe(1);
  await clock.advance(200);
  expect(socket.readyState).toBe(3);
  const again = fakePage(clock);
  call.resume(again.connection, 0);
  await clock.advance(3_000);
  expect(ends).toEqual([]);
});

it('web call › keeps messages for the page while it has no connection', async () => {
  const { clock, call, socket } = begun();
  await call.answer();
  const display = call.openDisplay({ text: () => {} });
  socket.terminate();
  display.show({ type: 'agent-text', text: 'Hello.' });
  const again = fakePage(clock);
  call.resume(again.connection, 0);
  expect(again.socket.types).toEqual(['ready', 'answered', 'agent-text']);
});

it('web call › terminates a connection whose page reads too slowly', async () => {
  const { call, socket } = begun();
  const leg = await call.answer();
  socket.bufferedAmount = 50_000;
  leg.send(new Uint8Array(160).fill(1));
  expect(socket.readyState).toBe(3);
});

it('web call › ends as a hang-up of the caller when the page closes its connection', async () => {
  const { call, socket, ends } = begun();
  await call.answer();
  socket.close(1001);
  expect(ends).toEqual([{ cause: 'remote-hangup' }]);
});
