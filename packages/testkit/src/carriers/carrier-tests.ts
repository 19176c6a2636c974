import type { CarrierTest } from './carrier-test.ts';
import { campaignTests } from './tests/campaign.ts';
import { conversationTests } from './tests/conversation.ts';
import { endTests } from './tests/ends.ts';
import { outboundTests } from './tests/outbound.ts';
import { transferTests } from './tests/transfers.ts';

/** All tests of the kit by subject. Their names are unique and stable. */
export const carrierTests: Readonly<Record<string, readonly CarrierTest[]>> = {
  'an inbound call': conversationTests,
  'the end of a call': endTests,
  'an outbound call': outboundTests,
  'a transferred call': transferTests,
  'a campaign': campaignTests,
};
