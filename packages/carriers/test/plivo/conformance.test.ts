import { plivo } from '@va/carriers/plivo';
import { PlivoServer } from '@va/testkit/carrier-servers';
import { carrierConformance } from '@va/testkit/carriers';
import { describe, it } from 'vitest';

carrierConformance(
  { describe, it },
  {
    name: 'plivo',
    keys: 'commands',
    countsLoss: true,
    async open(options) {
      const server = await PlivoServer.start(options);
      return { server, telephony: plivo({ apiUrl: server.url }) };
    },
  },
);
