import { call } from '../../support/phones/callers.ts';
import { SipPhones } from '../../support/phones/sip-phones.ts';
import { type Target, warmingMs } from './settings.ts';

/** The callers' process: argv[2] is the target, argv[3] the number of callers. */
const { sip } = JSON.parse(process.argv[2] ?? '{}') as Target;
call(await SipPhones.open(sip, 'call'), Number(process.argv[3]), warmingMs);
