import { twilio } from '@va/carriers/twilio';
import { TwilioServer } from '@va/testkit/carrier-servers';
import { carrierConformance } from '@va/testkit/carriers';
import { describe, it } from 'vitest';

carrierConformance(
  { describe, it },
  {
    name: 'twilio',
    keys: 'tones',
    countsLoss: true,
    async open(options) {
      const server = await TwilioServer.start(options);
      return { server, telephony: twilio({ apiUrl: server.url }) };
    },
  },
);
