import { vonage } from '@va/carriers/vonage';
import { VonageServer } from '@va/testkit/carrier-servers';
import { carrierConformance } from '@va/testkit/carriers';
import { describe, it } from 'vitest';

carrierConformance(
  { describe, it },
  {
    name: 'vonage',
    keys: 'commands',
    countsLoss: false,
    async open(options) {
      const server = await VonageServer.start(options);
      return { server, telephony: vonage({ apiUrl: server.url }) };
    },
  },
);
