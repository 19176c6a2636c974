import { nextMessage, startNode } from '../support/child-process.ts';
import { pause } from '../support/ear.ts';
import { type SippFigures, startSipp } from '../support/sipp.ts';
import { callerPortsFrom, number, rates, secondsPerRate } from './settings.ts';

/** Warm-up calls, after which hot code is compiled. */
const warmUp = { calls: 300, perSecond: 50 };
/** The climb ends with the second consecutive rate with failures; a single one may be noise of the machine. */
const uncleanInARow = 2;

/**
 * Raises the rate of INVITE, 200, ACK, BYE. Returns the highest rate without retransmissions and failures.
 * @param args arguments of the program that is called
 */
export async function setUpsPerSecond(what: string, args: readonly string[]): Promise<number> {
  const service = startNode(args, { processor: 'any' });
  const { port } = await nextMessage<{ port: number }>(service);
  await callAndHangUp(port, warmUp.calls, warmUp.perSecond);
  let highest = 0;
  let unclean = 0;
  for (const perSecond of rates) {
    await pause(1_000);
    const calls = perSecond * secondsPerRate;
    const { successful, failed, retransmissions } = await callAndHangUp(port, calls, perSecond);
    const isClean = successful === calls && failed === 0 && retransmissions === 0;
    console.log(
      `${what}: ${perSecond}/s for ${secondsPerRate} s: ${successful} of ${calls} calls, ${failed} failed, ` +
        `${retransmissions} retransmissions`,
    );
    if (isClean) highest = perSecond;
    unclean = isClean ? 0 : unclean + 1;
    if (unclean === uncleanInARow) break;
  }
  service.disconnect();
  return highest;
}

async function callAndHangUp(port: number, calls: number, perSecond: number): Promise<SippFigures> {
  const lasting = { minMs: 0, maxMs: 0 };
  const sipp = await startSipp({ port, number, calls, perSecond, lasting, mediaPort: callerPortsFrom });
  return await sipp.over;
}
