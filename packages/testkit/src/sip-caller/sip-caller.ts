import { type Clock, type Logger, type RandomBytes, systemClock, systemRandom, VaError } from '@va/core/adapter';
import { type G711Encoding, RtpLeg } from '@va/media';
import { type OutgoingEnd, parseNameAddr, RtpSession, type TransportName, targetOf, UserAgent } from '@va/sip';
import { silentLogger } from '../silent-logger.ts';
import { Heard } from './heard.ts';
import { Outbox } from './outbox.ts';
import { SipCall } from './sip-call.ts';

/** Options of a SIP caller. The clock and the random source are the system's by default. */
export interface SipCallerOptions {
  /** The caller's own address. Default: loopback. */
  readonly address?: string;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly random?: RandomBytes;
}

/** Options of one call. Default: UDP and PCMU. */
export interface DialOptions {
  /** SIP address of the caller, such as `sip:+31612345678@127.0.0.1`, optionally with a display name. */
  readonly from?: string;
  readonly transport?: TransportName;
  readonly codec?: G711Encoding;
  /** Cancels the call before it is answered. */
  readonly signal?: AbortSignal;
  /** Called with provisional responses, such as 180. */
  readonly onProgress?: (status: number) => void;
}

/** Places SIP calls as a phone would. */
export interface SipCaller {
  /**
   * Calls a SIP address; resolves when the call is answered.
   * @throws VaError `call_refused` with the status in its message, or `call_failed`
   */
  dial(uri: string, options?: DialOptions): Promise<SipCall>;
}

/**
 * Returns a scripted phone: real SIP, real RTP, and exact times of the received audio.
 *
 * @example const caller = createSipCaller(); const call = await caller.dial('sip:+31201234567@127.0.0.1:5060'); await
 *   call.waitForSpeech(); const { endedAtMs } = await call.say(pcm); const latencyMs = (await call.waitForSpeech({
 *   afterMs: endedAtMs })) - endedAtMs; await call.hangup();
 */
export function createSipCaller(options: SipCallerOptions = {}): SipCaller {
  return { dial: (uri, dialOptions = {}) => dial(options, uri, dialOptions) };
}

function failure(end: OutgoingEnd, uri: string): VaError {
  if (end.cause === 'refused') {
    return new VaError('call_refused', `The call to ${uri} was rejected: ${end.status} ${end.reason}`);
  }
  const why = end.cause === 'transport-error' ? end.message : end.cause;
  return new VaError('call_failed', `The call to ${uri} was not answered: ${why}`);
}

async function dial(options: SipCallerOptions, uri: string, dialOptions: DialOptions): Promise<SipCall> {
  const address = options.address ?? '127.0.0.1';
  const clock = options.clock ?? systemClock;
  const random = options.random ?? systemRandom;
  const transport = dialOptions.transport ?? 'udp';
  const codec = dialOptions.codec ?? 'pcmu';
  const target = targetOf(uri);
  const to = parseNameAddr(`<${uri}>`);
  const from = parseNameAddr(dialOptions.from ?? `<sip:caller@${address}>`);
  if (target === null || to === null || from === null) {
    throw new VaError('call_failed', `"${uri}" cannot be dialed. Expected sip:user@host:port, and the same in "from".`);
  }
  const listen = [`${transport}://${address}:0`];
  const agent = await UserAgent.open({ clock, random, logger: options.logger ?? silentLogger, listen });
  const heard = new Heard(clock, codec);
  let leg: RtpLeg;
  try {
    leg = await RtpLeg.open({ clock, random, address, onArrival: (packet) => heard.receive(packet.payload) });
  } catch (error) {
    await agent.destroy();
    throw error;
  }
  leg.onDtmf((digit) => heard.digits.push(digit));
  const flow = agent.flowTo({ ...target, transport });
  if (flow === null) {
    leg.close();
    await agent.destroy();
    throw new VaError('call_failed', `${address} and ${uri} are of different address families.`);
  }
  const media = new RtpSession({ leg, codecs: [codec], address, random });
  try {
    return await new Promise<SipCall>((resolve, reject) => {
      let call: SipCall | null = null;
      const invite = agent.invite(
        { uri, from, to, flow, media },
        {
          onProgress: (status) => dialOptions.onProgress?.(status),
          onAnswered: () => {
            dialOptions.signal?.removeEventListener('abort', giveUp);
            call = new SipCall({ clock, agent, leg, outbox: new Outbox(leg, codec), heard });
            resolve(call);
          },
          onEnd: (end) => {
            dialOptions.signal?.removeEventListener('abort', giveUp);
            if (call === null) reject(failure(end, uri));
            else call.onEnd(end);
          },
        },
      );
      const giveUp = () => invite.hangup();
      if (dialOptions.signal?.aborted) giveUp();
      else dialOptions.signal?.addEventListener('abort', giveUp, { once: true });
    });
  } catch (error) {
    await agent.close();
    throw error;
  }
}
