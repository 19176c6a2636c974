export { freePort } from '../free-port.ts';
export { type Baresip, type BaresipOptions, hasBaresip, runBaresip } from './baresip.ts';
export { untilBound } from './bound-port.ts';
export type { Child } from './child.ts';
export { EchoHost } from './echo-host.ts';
export { findProgram } from './find-program.ts';
export { hasKamailio, type KamailioOptions, runKamailio } from './kamailio.ts';
export { hasSipp, runSipp, type SippOptions } from './sipp.ts';
