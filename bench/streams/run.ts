import { parseArgs } from 'node:util';
import { keepAwake } from '../support/awake.ts';
import { bundle } from '../support/bundle.ts';
import { type LevelFigures, measure, medianOf, show } from '../support/phones/measure.ts';
import { round } from '../support/statistics.ts';
import { type Kind, kinds, levels, rounds, steadyMs, warmingMs } from './settings.ts';

/**
 * Compares calls over SIP, over Twilio's media streams, and from pages: real sockets on loopback, 8 kHz μ-law, a
 * detector with the cost of Silero, and providers that answer at once. Rounds of the three take turns. The callers run
 * in another process; their own delays count as the service's. `--calls 50,100` for machines that cannot carry 200.
 */
const { values } = parseArgs({ options: { calls: { type: 'string', default: levels.join() } } });
const [fewCalls = 0, manyCalls = fewCalls] = values.calls.split(',').map(Number);
if (!(fewCalls > 0 && manyCalls > 0)) throw new Error(`--calls takes two numbers of calls, not ${values.calls}.`);
await bundle(new URL('../support/exact-vad.ts', import.meta.url), 'exact-vad');
const service = await bundle(new URL('./service.ts', import.meta.url), 'streams-service');
const callers = await bundle(new URL('./callers.ts', import.meta.url), 'streams-callers');

async function compare(calls: number): Promise<Readonly<Record<Kind, LevelFigures>>> {
  const measured: Record<Kind, LevelFigures[]> = { sip: [], twilio: [], web: [] };
  for (let at = 0; at < rounds; at += 1) {
    for (const kind of kinds) {
      const figures = await measure({ service, callers, calls, kind, steadyMs });
      measured[kind].push(figures);
      show(`${kind} ${calls}`, figures);
    }
  }
  const medians = { sip: medianOf(measured.sip), twilio: medianOf(measured.twilio), web: medianOf(measured.web) };
  for (const kind of kinds) show(`${kind} median`, medians[kind]);
  return medians;
}

console.log(`processors: ${await keepAwake()}`);
console.log(`${steadyMs / 1_000} s of each, after ${warmingMs / 1_000} s of the same calls`);
show();
const few = await compare(fewCalls);
const many = await compare(manyCalls);
console.log(
  JSON.stringify({
    twilio_turn_p95_ms: round(few.twilio.turnP95Ms),
    web_turn_p95_ms: round(few.web.turnP95Ms),
    twilio_core_ratio_to_sip: round(many.twilio.corePctPerCall / many.sip.corePctPerCall),
    web_core_ratio_to_sip: round(many.web.corePctPerCall / many.sip.corePctPerCall),
  }),
);
process.exit(0);
