import { calling, saying } from '@va/testkit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebService, type WebServiceOptions } from './service.ts';

let service: WebService;
afterEach(() => service.close());

async function start(options: WebServiceOptions = {}): Promise<void> {
  service = await WebService.start(options);
}

describe('web call', () => {
  it('talks, shows the conversation, and ends when the page is left', async () => {
    await start({ turns: ['when do you open'], replies: [saying('We open at six.')] });
    const page = await service.call({ variables: { name: 'Jan' }, metadata: { page: '/' } });
    await page.message('agent-heard', { text: 'Good evening.' });
    await page.speak(700);
    await page.speak(1_500, 0xff);
    await page.message('user-text', { text: 'when do you open', final: true });
    await page.message('agent-heard', { text: 'We open at six.', interrupted: false });
    await page.message('latency');
    expect(page.loud).toBeGreaterThan(20);
    const states = page.messages.flatMap((each) => (each.type === 'state' ? [each.state] : []));
    expect(states.slice(0, 3)).toEqual(['thinking', 'speaking', 'listening']);
    page.leave();
    const call = await service.lastCall();
    expect(call).toMatchObject({
      direction: 'web',
      status: 'ended',
      end_reason: 'user_hangup',
      caller_phone: null,
      variables: { name: 'Jan' },
      metadata: { page: '/' },
      messages: [
        { role: 'assistant', content: 'Good evening.' },
        { role: 'user', content: 'when do you open' },
        { role: 'assistant', content: 'We open at six.' },
      ],
    });
  });

  it('records what was heard when typed text interrupts the agent, and has the page drop the rest', async () => {
    await start({
      agent: { first_message: 'This is a long greeting that goes on and on, and nobody wants to hear all of it now.' },
      replies: [saying('Yes.')],
    });
    const page = await service.call();
    await page.message('state', { state: 'speaking' });
    await page.speak(600, 0xff);
    page.send({ type: 'text', text: 'Are you there?' });
    const { text } = await page.message('agent-heard', { interrupted: true });
    expect(text.length).toBeGreaterThan(5);
    expect(text.length).toBeLessThan(60);
    await page.message('clear');
    await page.message('agent-heard', { text: 'Yes.' });
    page.send({ type: 'hang-up' });
    const call = await service.lastCall();
    expect(call.messages).toEqual([
      { role: 'assistant', content: text },
      { role: 'user', content: 'Are you there?' },
      { role: 'assistant', content: 'Yes.' },
    ]);
  });

  it('runs tools in the page', async () => {
    await start({
      agent: {
        llm_config: { provider: 'scripted', tools: [{ type: 'function', name: 'open_form', runs: 'client' }] },
      },
      replies: [calling('open_form', { field: 'email' }), saying('It is open.')],
    });
    const page = await service.call();
    await page.message('agent-heard');
    page.send({ type: 'text', text: 'Open the form' });
    const { id, name, arguments: args } = await page.message('tool-call');
    expect([name, args]).toEqual(['open_form', { field: 'email' }]);
    page.send({ type: 'tool-result', id, result: { opened: true } });
    await page.message('tool-ended', { id, ok: true });
    await page.message('agent-heard', { text: 'It is open.' });
  });

  it('treats keys of the page as keys that the caller pressed', async () => {
    await start({ replies: [saying('Thank you.')] });
    const page = await service.call();
    await page.message('agent-heard');
    page.send({ type: 'keys', keys: '12#' });
    await page.message('user-text', { text: '[keys pressed: 12]' });
  });

  it('drops audio while the page is muted', async () => {
    await start({ turns: ['hello'], replies: [saying('Hello.')] });
    const page = await service.call();
    await page.message('agent-heard');
    page.send({ type: 'mute', muted: true });
    await page.speak(600);
    await page.speak(600, 0xff);
    expect(page.messages.some(({ type }) => type === 'user-text')).toBe(false);
    page.send({ type: 'mute', muted: false });
    await page.speak(600);
    await page.speak(1_500, 0xff);
    await page.message('user-text', { text: 'hello' });
  });

  it('shows the end, then closes, when the service hangs up', async () => {
    await start();
    const page = await service.call();
    await page.message('agent-heard');
    const { call_id } = await page.message('ready');
    await service.va.operations.calls.control(service.orgId, call_id, { type: 'end-call' });
    await page.message('ended', { reason: 'api_hangup' });
    await vi.waitFor(() => expect(page.closeCode).toBe(1000), 5_000);
    expect(page.messages.at(-1)?.type).toBe('ended');
  });
});

describe('a lost connection', () => {
  it('is replaced by another one, which gets the audio that was missed', async () => {
    await start({ replies: [saying('Still here.')] });
    const page = await service.call();
    await page.message('agent-heard');
    const { resume_secret: secret } = await page.message('ready');
    page.lose();
    const received = page.received - 5;
    const again = await service.connect({ type: 'resume', version: 1, secret, received });
    await again.message('answered');
    await vi.waitFor(() => expect(again.sequences.length).toBeGreaterThan(10), 5_000);
    expect(again.sequences.slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, n) => received + n));
    again.send({ type: 'text', text: 'Are you there?' });
    await again.message('agent-heard', { text: 'Still here.' });
  });

  it('is closed when another one takes over the call', async () => {
    await start();
    const page = await service.call();
    const { resume_secret: secret } = await page.message('ready');
    const again = await service.connect({ type: 'resume', version: 1, secret, received: page.received });
    await page.message('error', { code: 'replaced' });
    await again.message('answered');
    expect(service.ended).toEqual([]);
  });

  it('cannot be resumed with another secret, or after the end', async () => {
    await start();
    const page = await service.call();
    const { resume_secret: secret } = await page.message('ready');
    const stranger = await service.connect({ type: 'resume', version: 1, secret: 'x'.repeat(43), received: 0 });
    await stranger.message('error', { code: 'resume_refused' });
    page.send({ type: 'hang-up' });
    await service.lastCall();
    const late = await service.connect({ type: 'resume', version: 1, secret, received: 0 });
    await late.message('error', { code: 'resume_refused' });
  });
});

describe('a connection', () => {
  it('is refused with a token that was used', async () => {
    await start();
    const { token } = await service.token();
    const first = await service.connect({ type: 'hello', version: 1, token });
    await first.message('ready');
    const second = await service.connect({ type: 'hello', version: 1, token });
    await second.message('error', { code: 'token_refused' });
    await vi.waitFor(() => expect(second.closeCode).toBe(4_000));
    expect(first.closeCode).toBeNull();
  });

  it.each([
    ['another version', { type: 'hello', version: 2, token: 'x' }, 'unsupported_version'],
    ['another message first', { type: 'text', text: 'hi' }, 'invalid_message'],
    ['an unknown message', { type: 'boo' }, 'invalid_message'],
    ['an unknown token', { type: 'hello', version: 1, token: 'x'.repeat(43) }, 'token_refused'],
  ])('is refused with %s', async (_, first, code) => {
    await start();
    const page = await service.connect(first);
    await page.message('error', { code });
    await vi.waitFor(() => expect(page.closeCode).toBe(4_000));
  });

  it.each([
    ['text that is no JSON', '{'],
    ['a frame of another length', new Uint8Array(50)],
    ['a text beyond the limit', JSON.stringify({ type: 'text', text: 'x'.repeat(4_001) })],
  ])('is refused after %s, without ending its call', async (_, data) => {
    await start();
    const page = await service.call();
    page.sendRaw(data);
    await page.message('error', { code: 'invalid_message' });
    expect(service.ended).toEqual([]);
  });

  it('is refused after too many messages', async () => {
    await start();
    const page = await service.call();
    for (let n = 0; n < 100; n++) page.send({ type: 'played', sequence: 0 });
    await page.message('error', { code: 'too_many_messages' });
  });

  it('is refused from a page of another origin', async () => {
    await start({ web: { origins: ['https://www.example.com'] } });
    const first = { type: 'hello', version: 1, token: 'x' };
    await expect(service.connect(first, { origin: 'https://evil.example.com' })).rejects.toThrow('403');
    const page = await service.connect(first, { origin: 'https://www.example.com' });
    await page.message('error', { code: 'token_refused' });
  });
});
