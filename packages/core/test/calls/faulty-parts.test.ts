import { ProviderError, type RecordingStore } from '@va/core/adapter';
import { memory } from '@va/storage/memory';
import {
  calling,
  ScriptedIncomingCall,
  ScriptedWebhooks,
  saying,
  scriptedLlm,
  scriptedStt,
  scriptedTts,
} from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { dialedNumber, PhoneCall } from '../support/phone-call.ts';
import { phoneCalls } from '../support/phone-calls.ts';

const { ring, keep } = phoneCalls();
const asyncTool = { type: 'function', name: 'note', parameters: { type: 'object' }, async: true };

/** A recording store that counts its sinks and can make their writes fail. */
function recordings(
  options: { failWrite?: (sink: number) => boolean } = {},
): RecordingStore & { opened: number; closed: number } {
  const store = {
    opened: 0,
    closed: 0,
    open: async () => null,
    delete: async () => false,
    create: async () => {
      const sink = store.opened;
      store.opened += 1;
      return {
        write() {
          if (options.failWrite?.(sink)) throw new Error('disk full');
        },
        close: async () => {
          store.closed += 1;
        },
      };
    },
  };
  return store;
}

describe('a fault', () => {
  it('of the storage is reported by health() without its address or message', async () => {
    const ping = (): Promise<void> => Promise.reject(new Error('connect ECONNREFUSED 10.1.2.3:5432'));
    const call = keep(new PhoneCall({ service: { storage: { ...memory(), ping } } }));
    await call.prepare();
    const health = await call.va.health();
    expect(health).toMatchObject({ status: 'unavailable', checks: { storage: { status: 'failed' } } });
    expect(JSON.stringify(health)).not.toContain('10.1.2.3');
  });

  it('of a recording sink ends neither its call nor drops frames of other calls', async () => {
    const call = await ring({ recordings: recordings({ failWrite: (sink) => sink === 0 }) });
    const second = new ScriptedIncomingCall({ to: dialedNumber, id: 'second' });
    const first = call.incoming;
    await call.dial(second);
    const before = [first.sent.length, second.sent.length];
    await call.quiet(1_000);
    expect([first.sent.length - (before[0] ?? 0), second.sent.length - (before[1] ?? 0)]).toEqual([50, 50]);
    expect(call.ended).toBeNull();
  });

  it('in the frame path ends only its own call', async () => {
    const call = await ring();
    const first = call.incoming;
    Object.assign(call.stt.streams[0] ?? {}, {
      send() {
        throw new Error('out of order');
      },
    });
    const second = new ScriptedIncomingCall({ to: dialedNumber, id: 'second' });
    await call.dial(second);
    first.hear(new Uint8Array(160));
    await call.quiet(200);
    expect(call.ended).toMatchObject({ status: 'failed', end_reason: 'internal_error', error: 'out of order' });
    expect(first.end).not.toBeNull();
    expect(second.end).toBeNull();
  });

  it('of the webhook dispatcher affects neither the call nor its tools, record and end', async () => {
    const webhooks = new ScriptedWebhooks();
    webhooks.deliver = () => {
      throw new Error('queue full');
    };
    webhooks.request = async () => {
      throw new Error('queue full');
    };
    const call = await ring({
      webhooks,
      agent: {
        webhook_events: ['assistant-request', 'status-update', 'end-of-call-report'],
        llm_config: { provider: 'scripted', tools: [{ type: 'function', name: 'note' }] },
      },
      stt: scriptedStt({ turns: ['hi'] }),
      llm: scriptedLlm([calling('note'), saying('Well then.')]),
    });
    await call.speak(300);
    await call.quiet(2_000);
    expect(call.tts.utterances).toEqual([['Well then.']]);
    call.incoming.leave();
    await call.quiet(40);
    expect(await call.stored()).toMatchObject({ status: 'ended', end_reason: 'user_hangup' });
  });

  it.each([
    ['stt', 'stt_error'],
    ['tts', 'tts_error'],
  ] as const)('of the %s provider on open ends the call with its own end_reason', async (kind, reason) => {
    const refuse = (): never => {
      throw new ProviderError('scripted', 'auth', 'bad key');
    };
    const stt = scriptedStt();
    const tts = scriptedTts();
    Object.assign(kind === 'stt' ? stt : tts, { open: refuse });
    const call = await ring({ stt, tts });
    expect(await call.stored()).toMatchObject({
      status: 'failed',
      end_reason: reason,
      error: expect.stringContaining('bad key'),
    });
    expect(call.incoming.end).not.toBeNull();
  });
});

describe('a call that ends while it is answered', () => {
  it('closes its recording', async () => {
    const store = recordings();
    const call = keep(new PhoneCall({ recordings: store }));
    await call.prepare();
    call.incoming.answer = () => Promise.reject(new Error('no ACK'));
    const dialing = call.dial();
    call.incoming.leave({ cause: 'canceled' });
    await dialing;
    await call.nothing(100);
    expect(store.opened).toBe(store.closed);
    expect(await call.stored()).toMatchObject({ status: 'ended', end_reason: 'caller_abandoned' });
  });

  it('is recorded as failed when the adapter ended it', async () => {
    const call = keep(new PhoneCall());
    await call.prepare();
    call.incoming.answer = () => {
      call.incoming.leave({ cause: 'local-hangup' });
      return Promise.reject(new Error('no port'));
    };
    await call.dial();
    expect(await call.stored()).toMatchObject({ status: 'failed', end_reason: 'transport_error' });
  });
});

describe('an async tool', () => {
  it('is not aborted by the end of the call', async () => {
    const webhooks = new ScriptedWebhooks();
    const signals: AbortSignal[] = [];
    webhooks.request = (_message, { signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    const call = await ring({
      webhooks,
      agent: { llm_config: { provider: 'scripted', tools: [asyncTool, { type: 'endCall' }] } },
      stt: scriptedStt({ turns: ['bye'] }),
      llm: scriptedLlm([[...calling('note'), ...calling('endCall')]]),
    });
    await call.speak(300);
    await call.quiet(2_000);
    expect(call.ended).toMatchObject({ end_reason: 'agent_hangup' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });
});

describe('the service', () => {
  it('sends webhooks with the documented timeouts', async () => {
    const webhooks = new ScriptedWebhooks();
    const limits: [string, number][] = [];
    const request = webhooks.request.bind(webhooks);
    webhooks.request = (message, options) => {
      limits.push([message.event, options.timeoutMs]);
      return request(message, options);
    };
    const call = await ring({
      webhooks,
      agent: {
        webhook_events: ['assistant-request'],
        llm_config: { provider: 'scripted', tools: [{ type: 'function', name: 'note' }] },
      },
      stt: scriptedStt({ turns: ['hi'] }),
      llm: scriptedLlm([calling('note'), saying('Ok.')]),
    });
    await call.speak(300);
    await call.quiet(1_000);
    expect(limits).toEqual([
      ['assistant-request', 5_000],
      ['tool-calls', 10_000],
    ]);
  });

  it('closes the parts already started when a later one fails to start', async () => {
    const opened: string[] = [];
    const part = (
      id: string,
      start: () => Promise<void>,
    ): { id: string; start: () => Promise<void>; close: () => Promise<void> } => ({
      id,
      start: async () => {
        await start();
        opened.push(id);
      },
      close: async () => {
        opened.splice(opened.indexOf(id), 1);
      },
    });
    const telephony = [part('good', async () => {}), part('bad', () => Promise.reject(new Error('port taken')))];
    const call = new PhoneCall({ service: { telephony } });
    await expect(call.va.start()).rejects.toThrow('port taken');
    expect(opened).toEqual([]);
    expect((await call.va.health()).status).toBe('unavailable');
  });

  it('lets calls finish while it drains', async () => {
    const call = await ring({
      agent: { llm_config: { provider: 'scripted', tools: [{ type: 'endCall' }] } },
      stt: scriptedStt({ turns: ['bye'] }),
      llm: scriptedLlm([[...saying('Goodbye.'), ...calling('endCall')]]),
    });
    await call.speak(300);
    const closing = call.va.close({ drainMs: 10_000 });
    expect(call.admits).toBe(false);
    await call.quiet(3_000);
    await closing;
    expect(call.ended).toMatchObject({ status: 'ended', end_reason: 'agent_hangup' });
  });
});
