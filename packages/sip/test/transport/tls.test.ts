import { connect as connectPlain, createServer, type Server } from 'node:net';
import { connect } from 'node:tls';
import { systemClock } from '@va/core/adapter';
import { silentLogger, VirtualClock } from '@va/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import type { Flow } from '../../src/transport/flow.ts';
import type { TlsOptions } from '../../src/transport/tls-options.ts';
import { type Target, TransportLayer } from '../../src/transport/transport-layer.ts';
import { authority, loopbackIdentity, otherIdentity } from '../support/certificates.ts';
import { CollectingListener } from '../support/collecting-listener.ts';
import { requestText, wire } from '../support/messages.ts';
import { until } from '../support/until.ts';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

interface Side {
  readonly layer: TransportLayer;
  readonly heard: CollectingListener;
  readonly port: number;
}

async function open(tls: TlsOptions, listen = 'tls://127.0.0.1:0', clock = systemClock): Promise<Side> {
  const heard = new CollectingListener();
  const layer = new TransportLayer({ clock, listen: [listen], tls, logger: silentLogger }, heard);
  await layer.start();
  closing.push(() => layer.close());
  return { layer, heard, port: layer.addresses[0]?.port ?? 0 };
}

const served = { ...loopbackIdentity, ca: authority };

function options(transport: string, flow: Flow | null, params = ''): Uint8Array {
  const { port } = flow?.advertised ?? { port: 0 };
  const via = `Via: SIP/2.0/${transport} 127.0.0.1:${port};branch=z9hG4bKa${params};rport`;
  return wire(requestText({ method: 'OPTIONS', via }));
}

function target(port: number, serverName?: string): Target {
  return { transport: 'tls', address: '127.0.0.1', port, serverName };
}

function send(from: Side, to: Side, serverName?: string, params = ''): Flow | null {
  const flow = from.layer.flowTo(target(to.port, serverName));
  flow?.send(options('TLS', flow, params));
  return flow;
}

describe('TLS transport', () => {
  it('sends to a peer whose certificate matches the requested name, over one connection', async () => {
    const [server, client] = [await open(served), await open(served)];
    const flow = send(client, server, 'sip.example.test');
    const { flow: accepted, message } = await server.heard.next();
    expect(message).toMatchObject({ method: 'OPTIONS' });
    expect(accepted).toMatchObject({ transport: 'tls', reliable: true });
    expect(client.layer.flowTo(target(server.port, 'sip.example.test'))).toBe(flow);
    expect(client.layer.flowTo(target(server.port, 'localhost'))).toBe(flow);
  });

  it.each([
    ['is for another name', { ...otherIdentity, ca: authority }, { ca: authority }, 'sip.example.test'],
    ['is signed by an untrusted authority', served, {}, 'sip.example.test'],
    ['is not for this address', { ...otherIdentity, ca: authority }, { ca: authority }, undefined],
  ])('sends nothing to a peer whose certificate %s', async (_, theirs, ours, name) => {
    const server = await open(theirs);
    const client = await open(ours, 'udp://127.0.0.1:0');
    send(client, server, name);
    expect(await client.heard.failure()).toMatch(/certificate|altnames/i);
    // The server reads the rejected connection before a later one.
    send(await open({ verify: false }, 'udp://127.0.0.1:0'), server, undefined, ';later');
    const { envelope } = await server.heard.next();
    expect(envelope.via.params.has('later')).toBe(true);
    expect(server.heard.messages).toEqual([]);
  });

  it('accepts any peer when verification is disabled', async () => {
    const server = await open({ ...otherIdentity });
    send(await open({ verify: false }, 'udp://127.0.0.1:0'), server);
    await server.heard.next();
  });

  it('presents the certificate for the name that a caller requests, and the first one for others', async () => {
    const { port } = await open({ ...served, names: { 'Other.example.test': otherIdentity } });
    const subject = async (servername: string): Promise<string> => {
      const socket = connect({ host: '127.0.0.1', port, ca: authority, servername });
      await new Promise<void>((resolve, reject) => {
        socket.once('secureConnect', resolve);
        socket.once('error', reject);
      });
      const { CN } = socket.getPeerCertificate().subject;
      socket.destroy();
      return String(CN);
    };
    expect([await subject('other.example.test'), await subject('localhost')]).toEqual(['other', 'loopback']);
  });

  it('rejects a caller without a certificate when one is required, and accepts it when optional', async () => {
    const strict = await open({ ...served, clientCertificates: 'required' });
    const lenient = await open({ ...served, clientCertificates: 'optional' });
    const nobody = await open({ ca: authority }, 'udp://127.0.0.1:0');
    send(nobody, strict);
    await nobody.heard.failure();
    send(nobody, lenient);
    await lenient.heard.next();
    send(await open(served), strict);
    await strict.heard.next();
    expect(strict.heard.messages).toEqual([]);
  });

  it('reuses the connection of a peer that is verified and asks for it (RFC 5923)', async () => {
    const server = await open({ ...served, clientCertificates: 'optional' });
    const client = await open(served);
    expect(send(client, server, undefined, ';alias')?.mayAlias).toBe(true);
    const { flow } = await server.heard.next();
    const back = server.layer.flowTo(target(client.port, 'sip.example.test'));
    expect(back).toBe(flow);
    // But not for a name that its certificate does not cover.
    expect(server.layer.flowTo(target(client.port, 'other.example.test'))).not.toBe(flow);
  });

  it('does not reuse the connection of an unverified peer', async () => {
    const server = await open({ ...served, clientCertificates: 'optional' });
    const client = await open({ ca: authority }, 'udp://127.0.0.1:0');
    const flow = send(client, server, undefined, ';alias');
    const accepted = (await server.heard.next()).flow;
    expect(flow?.mayAlias).toBe(false);
    expect(server.layer.flowTo(target(flow?.advertised.port ?? 0))).not.toBe(accepted);
  });

  it.each([
    ['no certificate', {}],
    ['a certificate that cannot be read', { cert: 'x', key: 'y' }],
  ])('fails to start an agent with %s, and leaves nothing open', async (_, tls) => {
    await expect(open(tls)).rejects.toMatchObject({ code: 'sip_tls_certificate' });
  });
});

describe('outgoing connection', () => {
  let peer: Server;
  let said: string;

  /** A peer that answers pings while enabled, each time with a request after the pong. */
  async function ponging(state: { answers: boolean }): Promise<number> {
    said = '';
    peer = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        said += chunk.toString();
        if (chunk.toString() === '\r\n\r\n' && state.answers) socket.write(`\r\n${request}`);
      });
      closing.push(async () => socket.destroy());
    });
    await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => peer.close(resolve)));
    const address = peer.address();
    return typeof address === 'object' ? (address?.port ?? 0) : 0;
  }

  const request = requestText({ method: 'OPTIONS', via: 'Via: SIP/2.0/TCP 127.0.0.1:9;branch=z9hG4bKp' });

  /** Opens a connection, and resolves when it is established. */
  async function connected(side: Side, port: number): Promise<Flow | null> {
    const flow = side.layer.flowTo({ transport: 'tcp', address: '127.0.0.1', port });
    flow?.send(wire('hello'));
    await until(() => said === 'hello', 'the connection is established');
    return flow;
  }

  const pings = (): number => said.split('\r\n\r\n').length - 1;

  it('is pinged, and closed when a peer stops answering pings', async () => {
    const clock = new VirtualClock();
    const state = { answers: true };
    const port = await ponging(state);
    const side = await open({}, 'tcp://127.0.0.1:0', clock);
    const flow = await connected(side, port);
    for (const count of [1, 2]) {
      await clock.advance(100_000);
      await until(() => pings() === count, 'the ping arrives');
      // The request follows the pong on the same connection.
      await side.heard.next();
    }
    await clock.advance(10_000);
    expect(flow?.open).toBe(true);
    state.answers = false;
    await clock.advance(90_000);
    await until(() => pings() === 3, 'the third ping arrives');
    await clock.advance(10_000);
    expect(await side.heard.failure()).toContain('pings');
    expect(flow?.open).toBe(false);
  });

  it('stays open when the peer never answered a ping, and is closed after an hour without a message', async () => {
    const clock = new VirtualClock();
    const port = await ponging({ answers: false });
    const side = await open({}, 'tcp://127.0.0.1:0', clock);
    const flow = await connected(side, port);
    await clock.advance(3_500_000);
    expect(flow?.open).toBe(true);
    await clock.advance(200_000);
    await until(() => flow?.open === false, 'the connection is closed');
  });

  it('fails at once when the peer refuses it', async () => {
    const side = await open({}, 'tcp://127.0.0.1:0');
    side.layer.flowTo({ transport: 'tcp', address: '127.0.0.1', port: 1 })?.send(wire('x'));
    expect(await side.heard.failure()).toContain('ECONNREFUSED');
  });
});

describe('incoming connection', () => {
  it('is closed when no message arrives within 30 s', async () => {
    const clock = new VirtualClock();
    const side = await open({}, 'tcp://127.0.0.1:0', clock);
    const client = await open({}, 'tcp://127.0.0.1:0');
    client.layer.flowTo({ transport: 'tcp', address: '127.0.0.1', port: side.port });
    // Connections are accepted in order: when a later one has sent a message, the first is accepted.
    const later = connectPlain(side.port, '127.0.0.1').on('error', () => {});
    closing.push(async () => later.destroy());
    later.write(options('TCP', null));
    await side.heard.next();
    await clock.advance(30_000);
    expect(await side.heard.failure()).toContain('no message');
  });

  it('is limited in number for each peer', async () => {
    const side = await open({}, 'tcp://127.0.0.1:0');
    const sockets = Array.from({ length: 257 }, () => {
      const socket = connectPlain(side.port, '127.0.0.1')
        .on('error', () => {})
        .resume();
      closing.push(async () => socket.destroy());
      return socket;
    });
    await until(() => sockets.filter((each) => each.destroyed || each.readableEnded).length === 1, 'one is refused');
  });
});
