import { systemRandom } from '@va/core/adapter';
import { RtpLeg } from '@va/media';
import { parseNameAddr, RtpSession, targetOf, UserAgent } from '@va/sip';
import { silentLogger } from '@va/testkit';
import { pause } from '../support/ear.ts';
import { hrClock } from '../support/hr-clock.ts';
import { callerPortsFrom, lineNoise } from './settings.ts';

/**
 * Callers with SRTP, which Debian's SIPp lacks. argv[2] is the address, argv[3] the number of callers, argv[4] the
 * number of new calls per second. They send continuously, spread evenly over the 20 ms.
 */
const [uri = '', calls, perSecond] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const address = '127.0.0.1';
const frameMs = 20;
const patienceMs = 30_000;
const noise = lineNoise.subarray(0, 160);
const [clock, random] = [hrClock, systemRandom];
const agent = await UserAgent.open({ clock, random, logger: silentLogger, listen: [`udp://${address}:0`] });
const legs: RtpLeg[] = [];

async function dial(index: number): Promise<void> {
  const [to, from] = [parseNameAddr(`<${uri}>`), parseNameAddr(`<sip:caller${index}@${address}>`)];
  const target = targetOf(uri);
  const flow = target === null ? null : agent.flowTo({ ...target, transport: 'udp' });
  if (to === null || from === null || flow === null) throw new Error(`${uri} cannot be dialed.`);
  const leg = await RtpLeg.open({ clock, random, address, port: callerPortsFrom + 2 * index });
  leg.onFrame(() => {});
  const media = new RtpSession({
    ...{ leg, codecs: ['pcmu'], address, random },
    ...{ srtp: 'required', suites: ['AES_CM_128_HMAC_SHA1_80'] },
  });
  await new Promise<void>((resolve, reject) => {
    agent.invite(
      { uri, from, to, flow, media },
      {
        onProgress() {},
        onAnswered: resolve,
        onEnd(end) {
          if (end.cause === 'local-hangup') return;
          console.error(`A call with SRTP ended: ${JSON.stringify(end)}`);
          reject(new Error('It has ended before it was answered.'));
        },
      },
    );
  });
  legs.push(leg);
}

const startedAtMs = clock.nowMs();
let slot = 0;
function pace(): void {
  const due = Math.floor(clock.nowMs() - startedAtMs);
  for (; slot < due; slot += 1) {
    for (let at = slot % frameMs; at < legs.length; at += frameMs) legs[at]?.send(noise);
  }
  setTimeout(pace, 1);
}

pace();
process.once('message', async () => {
  await Promise.race([agent.close(), pause(3_000)]);
  process.exit(0);
});
process.once('disconnect', () => process.exit(0));
const dialed: Promise<void>[] = [];
for (let index = 0; index < calls; index += 1) {
  dialed.push(dial(index));
  await pause(1_000 / perSecond);
}
// Calls not answered by then are missing in the number of streams.
await Promise.race([Promise.all(dialed), pause(patienceMs)]);
process.send?.('established');
