import { call } from '../support/phones/callers.ts';
import { SipPhones } from '../support/phones/sip-phones.ts';
import { warmingMs } from './settings.ts';

/** The callers' process: argv[2] is the address, argv[3] the number of callers. */
call(await SipPhones.open(process.argv[2] ?? '', 'call'), Number(process.argv[3]), warmingMs);
