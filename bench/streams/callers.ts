import { call } from '../support/phones/callers.ts';
import { SipPhones } from '../support/phones/sip-phones.ts';
import { type Kind, type Target, warmingMs } from './settings.ts';
import { TwilioPhones } from './twilio-phones.ts';
import { WebPhones } from './web-phones.ts';

/** The callers' process: argv[2] is the target, argv[3] the number of callers, argv[4] how they call. */
const [, , json = '', calls, kind] = process.argv;
const target = JSON.parse(json) as Target;
const open = {
  sip: () => SipPhones.open(target.sip, 'utterance'),
  twilio: () => new TwilioPhones(target.http),
  web: () => new WebPhones(target.http),
};
call(await open[kind as Kind](), Number(calls), warmingMs);
