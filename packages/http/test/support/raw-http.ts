import { connect } from 'node:net';

/** Sends bytes as they are, and returns everything that came back until the server closed. */
export async function sendRaw(origin: string, ...texts: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  const closed = new Promise((resolve) => socket.on('close', resolve).on('error', resolve));
  for (const text of texts) {
    socket.write(text);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await closed;
  return answer;
}
