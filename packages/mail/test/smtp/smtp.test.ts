import type { AddressInfo } from 'node:net';
import { ProviderError } from '@va/core';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { type SmtpOptions, smtp } from '../../src/smtp/index.ts';

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Received {
  readonly from: string;
  readonly to: string[];
  readonly text: string;
}

/** A mail server on loopback, with a password, and without TLS. */
async function start(options: SMTPServerOptions = {}) {
  const received: Received[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    logger: false,
    onAuth({ username, password }, _session, done) {
      if (username === 'harbour' && password === 'secret') done(null, { user: username });
      else done(Object.assign(new Error('Wrong.'), { responseCode: 535 }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        received.push({ from, to: rcptTo.map(({ address }) => address), text: Buffer.concat(chunks).toString('utf8') });
        done();
      });
    },
    ...options,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  closing.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const sender = (more: Partial<SmtpOptions> = {}) => smtp({ host: '127.0.0.1', port, timeoutMs: 2_000, ...more });
  return { received, sender, port };
}

const mail = {
  messageId: 'call-1@harbour.test',
  from: { name: 'Café "Harbour"', address: 'calls@harbour.test' },
  to: 'owner@harbour.test',
  subject: 'Call from +31612345678',
  text: 'Hello.',
  html: '<p>Hello.</p>',
};

function refuse(responseCode: number) {
  return (_address: unknown, _session: unknown, done: (error: Error) => void) =>
    done(Object.assign(new Error('Not now.'), { responseCode }));
}

describe('sendMail of smtp', () => {
  it('sends text and HTML, with the message id', async () => {
    const { received, sender } = await start();
    await sender({ auth: { user: 'harbour', password: 'secret' }, requireTls: false }).sendMail(mail);
    expect(received).toMatchObject([{ from: 'calls@harbour.test', to: ['owner@harbour.test'] }]);
    const text = received[0]?.text ?? '';
    expect(text).toMatch(/^Message-ID: <call-1@harbour\.test>\r$/im);
    expect(text).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(text).toContain('multipart/alternative');
    expect(text).toContain('<p>Hello.</p>');
  });

  it('does not add a header that a display name contains', async () => {
    const { received, sender } = await start();
    const from = { name: 'Harbour\r\nBcc: spy@evil.test', address: 'calls@harbour.test' };
    await sender().sendMail({ ...mail, from, subject: 'Hi\r\nBcc: spy@evil.test' });
    expect(received[0]?.to).toEqual(['owner@harbour.test']);
    expect(received[0]?.text).not.toMatch(/^Bcc:/im);
  });

  it.each([
    ['auth', 'a wrong password', false, {}, { auth: { user: 'harbour', password: 'wrong' }, requireTls: false }],
    ['unavailable', 'a server that refuses for now', true, { onRcptTo: refuse(451) }, {}],
    ['invalid_request', 'an unknown recipient', false, { onRcptTo: refuse(550) }, {}],
    ['connection', 'a server that is not running', true, {}, { port: 1 }],
    [
      'invalid_request',
      'a server without TLS for a password',
      false,
      {},
      { auth: { user: 'harbour', password: 'secret' } },
    ],
  ] as const)('fails with %s for %s', async (fault, _name, retryable, server, options) => {
    const { sender, received } = await start(server as SMTPServerOptions);
    const thrown: unknown = await sender(options)
      .sendMail(mail)
      .catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(ProviderError);
    expect(thrown).toMatchObject({ provider: 'smtp', fault, retryable });
    expect(String(thrown)).not.toContain('secret');
    expect(received).toEqual([]);
  });

  it('times out when the server does not respond', async () => {
    const { sender } = await start({ onConnect() {} });
    const thrown: unknown = await sender({ timeoutMs: 200 })
      .sendMail(mail)
      .catch((error: unknown) => error);
    expect(thrown).toMatchObject({ fault: 'timeout', retryable: true });
  });
});
