import { expect, it } from 'vitest';
import { parseVia } from '../../src/message/via.ts';
import type { SipAddress } from '../../src/transport/address.ts';
import { AdvertisedAddresses } from '../../src/transport/advertised-addresses.ts';
import type { Flow } from '../../src/transport/flow.ts';
import { fakeFlow } from '../support/fake-flow.ts';

const bound: SipAddress = { transport: 'udp', address: '10.0.0.5', port: 5_060 };
const provider = { address: '192.0.2.10', port: 5_060 };

function learn(addresses: AdvertisedAddresses, text: string, over: Partial<Flow> = {}): void {
  const via = parseVia(`SIP/2.0/UDP ${text}`);
  if (via === null) throw new Error('malformed Via');
  const flow = { ...fakeFlow(), bound, remote: provider, advertised: addresses.of(bound, provider), ...over };
  addresses.learn(flow, via);
}

it('AdvertisedAddresses gives a peer the address and port in its responses, and others those of the socket', () => {
  const addresses = new AdvertisedAddresses();
  expect(addresses.of(bound, provider)).toEqual({ address: '10.0.0.5', port: 5_060 });
  learn(addresses, '10.0.0.5:5060;received=198.51.100.7;rport=31337;branch=x');
  expect(addresses.of(bound, provider)).toEqual({ address: '198.51.100.7', port: 31_337 });
  expect(addresses.of(bound, { address: '192.0.2.11', port: 5_060 }).address).toBe('10.0.0.5');
});

it("AdvertisedAddresses gives the socket's port to a peer over TCP, and to one without a valid rport", () => {
  const addresses = new AdvertisedAddresses();
  learn(addresses, '10.0.0.5:5060;received=198.51.100.7;rport=31337', { transport: 'tcp' });
  expect(addresses.of(bound, provider)).toEqual({ address: '198.51.100.7', port: 5_060 });
  learn(addresses, '198.51.100.7:5060;received=198.51.100.8;rport=70000');
  expect(addresses.of(bound, provider)).toEqual({ address: '198.51.100.8', port: 5_060 });
});

it('AdvertisedAddresses ignores responses without received, and all if the public address is configured', () => {
  const configured = new AdvertisedAddresses('203.0.113.1');
  learn(configured, '203.0.113.1:5060;received=198.51.100.7;rport=31337');
  expect(configured.of(bound, provider)).toEqual({ address: '203.0.113.1', port: 5_060 });
  const silent = new AdvertisedAddresses();
  learn(silent, '10.0.0.5:5060;rport;branch=x');
  expect(silent.of(bound, provider)).toEqual({ address: '10.0.0.5', port: 5_060 });
});

it('AdvertisedAddresses drops the least recently heard of more than 1,024 peers', () => {
  const addresses = new AdvertisedAddresses();
  for (let port = 1; port <= 1_025; port++) {
    const remote = { address: '192.0.2.10', port };
    learn(addresses, '10.0.0.5:5060;received=198.51.100.7', { remote, advertised: addresses.of(bound, remote) });
  }
  expect(addresses.of(bound, { address: '192.0.2.10', port: 1 }).address).toBe('10.0.0.5');
  expect(addresses.of(bound, { address: '192.0.2.10', port: 2 }).address).toBe('198.51.100.7');
});
