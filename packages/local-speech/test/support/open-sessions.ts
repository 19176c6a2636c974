import { type SttEvent, systemClock } from '@va/core/adapter';
import { flite, pocketsphinx } from '@va/local-speech';
import { silentLogger } from '@va/testkit';

/** A program that speaks and listens, and closes neither session. */
const common = { signal: new AbortController().signal, clock: systemClock, logger: silentLogger };
const format = { encoding: 'pcmu', sampleRateHz: 8_000 } as const;
const listening: AsyncIterable<SttEvent> = pocketsphinx().open({
  ...{ ...common, format, hints: [] },
  config: { provider: 'pocketsphinx', phrases: ['hello'] },
});
void listening[Symbol.asyncIterator]().next();
const utterance = flite()
  .open({ ...common, format, config: { provider: 'flite' } })
  .speak();
utterance.push('Hello.');
utterance.end();
let bytes = 0;
for await (const event of utterance) if (event.type === 'audio') bytes += event.audio.length;
console.log(bytes > 800 ? 'spoken' : 'silent');
