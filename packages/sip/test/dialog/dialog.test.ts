import { describe, expect, it } from 'vitest';
import { Dialog, targetOf } from '../../src/dialog/dialog.ts';
import { type Envelope, readEnvelope } from '../../src/message/envelope.ts';
import { createResponse } from '../../src/message/response.ts';
import { fakeFlow } from '../support/fake-flow.ts';
import { parsedRequest, requestText } from '../support/messages.ts';

function asServer(...headers: string[]): Dialog {
  const invite = parsedRequest(requestText({ cseq: 7, headers }));
  return Dialog.asServer(invite, readEnvelope(invite) as Envelope, fakeFlow(), 'me');
}

describe('Dialog', () => {
  it("addresses requests to the peer's Contact, with From and To swapped", () => {
    const bye = asServer().createRequest('BYE');
    expect(bye.uri).toBe('sip:ann@127.0.0.1:5099');
    expect(bye.headers.get('From')).toBe('<sip:+31201234567@127.0.0.1>;tag=me');
    expect(bye.headers.get('To')).toBe('"Ann" <sip:+31612345678@127.0.0.1>;tag=ann');
    expect(bye.headers.get('CSeq')).toBe('1 BYE');
  });

  it('routes requests through the recorded proxies', () => {
    const dialog = asServer('Record-Route: <sip:127.0.0.1:6001;lr>, <sip:127.0.0.1:6002;lr>');
    const bye = dialog.createRequest('BYE');
    expect(bye.headers.all('Route')).toEqual(['<sip:127.0.0.1:6001;lr>', '<sip:127.0.0.1:6002;lr>']);
    expect(bye.uri).toBe('sip:ann@127.0.0.1:5099');
    expect(dialog.target).toEqual({ transport: 'udp', address: '127.0.0.1', port: 6_001 });
  });

  it('puts a strict router into the Request-URI', () => {
    const bye = asServer('Record-Route: <sip:strict.example.com>, <sip:127.0.0.1:6002;lr>').createRequest('BYE');
    expect(bye.uri).toBe('sip:strict.example.com');
    expect(bye.headers.all('Route')).toEqual(['<sip:127.0.0.1:6002;lr>', '<sip:ann@127.0.0.1:5099>']);
  });

  it('reverses the route set on the calling side', () => {
    const invite = parsedRequest(requestText());
    const response = createResponse(invite, 200, {
      toTag: 'peer',
      headers: [
        ['Record-Route', '<sip:near;lr>'],
        ['Record-Route', '<sip:far;lr>'],
        ['Contact', '<sip:bob@127.0.0.1:7000>'],
      ],
    });
    const dialog = Dialog.asClient(invite.uri, response, readEnvelope(response) as Envelope, fakeFlow());
    expect(dialog.createAck(1).headers.all('Route')).toEqual(['<sip:far;lr>', '<sip:near;lr>']);
    expect(dialog.createAck(1).headers.get('CSeq')).toBe('1 ACK');
    expect(dialog.createRequest('BYE').headers.get('CSeq')).toBe('2 BYE');
    expect(dialog.key).toBe('call-1|ann|peer');
  });

  it('accepts each request of the peer once, and in order', () => {
    const dialog = asServer();
    expect([7, 9, 8, 9, 10].map((cseq) => dialog.acceptCSeq(cseq))).toEqual([false, true, false, false, true]);
  });

  it('follows the peer to a new Contact', () => {
    const dialog = asServer();
    dialog.refreshTarget(parsedRequest(requestText({ port: 5_555 })));
    expect(dialog.target?.port).toBe(5_555);
    dialog.refreshTarget(parsedRequest(requestText().replace(/Contact: .*\r\n/, '')));
    expect(dialog.target?.port).toBe(5_555);
  });
});

describe('targetOf', () => {
  it.each([
    ['sip:a@127.0.0.1', { transport: 'udp', address: '127.0.0.1', port: 5_060 }],
    ['sip:a@[::1]:5070;transport=TCP', { transport: 'tcp', address: '::1', port: 5_070 }],
    ['sips:a@127.0.0.1', { transport: 'tls', address: '127.0.0.1', port: 5061 }],
    ['sip:a@127.0.0.1;transport=sctp', null],
    ['tel:+31201234567', null],
    ['nonsense', null],
  ])('resolves %s', (uri, target) => {
    expect(targetOf(uri)).toEqual(target);
  });
});
