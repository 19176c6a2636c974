import { telnyx } from '@va/carriers/telnyx';
import { TelnyxServer } from '@va/testkit/carrier-servers';
import { carrierConformance } from '@va/testkit/carriers';
import { describe, it } from 'vitest';

carrierConformance(
  { describe, it },
  {
    name: 'telnyx',
    keys: 'commands',
    countsLoss: true,
    async open(options) {
      const server = await TelnyxServer.start(options);
      return { server, telephony: telnyx({ apiUrl: server.url }) };
    },
  },
);
