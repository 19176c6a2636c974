import { createServer } from 'node:http';
import { twilio } from '@va/carriers/twilio';
import { createHandler } from '@va/http';
import { toNode } from '@va/http/node';
import { webCalls } from '@va/web/server';
import { answeringAtOnce, startBenchService } from '../support/bench-service.ts';
import { turnsInRound } from '../support/phones/callers.ts';
import { meterService } from '../support/phones/service-meter.ts';
import {
  endpointingMs,
  interruptionMs,
  number,
  type Target,
  tokenPath,
  twilioAccount,
  twilioNumber,
} from './settings.ts';

/** The service's process: one service with SIP, a trunk of Twilio, and web calls. */
const http = createServer();
await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
const address = http.address();
const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
const publicUrl = `${origin}/voice`;
const round = [...Array.from({ length: turnsInRound - 1 }, () => 'turn'), 'story', 'stop'];
const { va, orgId, agentId, target } = await startBenchService({
  ...{ number, endpointingMs, interruptionMs },
  providers: answeringAtOnce({
    turns: Array.from({ length: 200 }, () => round).flat(),
    reply: 'Okay, I have made a note.',
  }),
  streams: { telephony: [twilio(), webCalls()], publicUrl },
});
await va.operations.trunks.create(orgId, {
  type: 'twilio',
  name: 'Twilio',
  account: { account_sid: twilioAccount.sid },
  credentials: { auth_token: twilioAccount.token },
  numbers: [twilioNumber],
});
await va.operations.numbers.register(orgId, { phone_number: twilioNumber, agent_id: agentId });

const handler = createHandler(va, { basePath: '/voice' });
const serveApi = toNode(handler);
http.on('upgrade', handler.upgrade).on('request', async (request, response) => {
  if (request.url !== tokenPath) serveApi(request, response);
  else response.end(JSON.stringify(await va.operations.calls.createWebCall(orgId, { agent_id: agentId })));
});
const all: Target = { sip: target, http: publicUrl };
meterService(va, { endpointingMs, interruptionMs, target: JSON.stringify(all) });
