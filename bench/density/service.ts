import { answeringAtOnce, startBenchService } from '../support/bench-service.ts';
import { turnsInRound } from '../support/phones/callers.ts';
import { meterService } from '../support/phones/service-meter.ts';
import { endpointingMs, interruptionMs, number } from './settings.ts';

/** The service's process. */
const round = [...Array.from({ length: turnsInRound - 1 }, () => 'turn'), 'story', 'stop'];
const { va, target } = await startBenchService({
  ...{ number, endpointingMs, interruptionMs },
  providers: answeringAtOnce({
    turns: Array.from({ length: 200 }, () => round).flat(),
    reply: 'Okay, I have made a note.',
  }),
});
meterService(va, { endpointingMs, interruptionMs, target });
