import { memory } from '@va/storage/memory';
import { ScriptedWebhooks, scriptedLlm, scriptedStt, scriptedTts, silentLogger } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import type { Storage } from '../../src/adapter.ts';
import { createVoiceAgents, type VoiceAgents, type VoiceAgentsOptions } from '../../src/index.ts';

function service(changes: Partial<VoiceAgentsOptions> = {}): VoiceAgents {
  return createVoiceAgents({
    storage: memory(),
    providers: [],
    webhooks: new ScriptedWebhooks(),
    logger: silentLogger,
    ...changes,
  });
}

describe('createVoiceAgents', () => {
  it('closes the storage and does not start when closed while the storage opens', async () => {
    const closed: string[] = [];
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const storage: Storage = Object.assign(memory(), {
      start: () => opened,
      close: async () => void closed.push('storage'),
    });
    const va = service({ storage });
    const refused = expect(va.start()).rejects.toMatchObject({ code: 'invalid_state' });
    const closing = va.close();
    expect((await va.readiness()).reason).toBe('draining');
    open();
    await refused;
    await closing;
    expect(closed).toEqual(['storage']);
  });

  it('names the invalid option', () => {
    const analysisModel = { provider: 'scripted', temperature: 40 };
    expect(() => service({ analysisModel })).toThrow(
      expect.objectContaining({
        code: 'invalid_options',
        message: expect.stringMatching(/^analysisModel\.temperature: /),
      }),
    );
  });

  it('accepts nested lists of providers', async () => {
    const va = service({ providers: [[scriptedStt(), scriptedTts()], scriptedLlm(() => [])] });
    await va.start();
    const { id: orgId } = await va.operations.organizations.ensureDefault();
    const agent = await va.operations.agents.create(orgId, {
      name: 'nested',
      stt_config: { provider: 'scripted' },
      llm_config: { provider: 'scripted' },
      tts_config: { provider: 'scripted' },
    });
    expect(agent.stt_config?.provider).toBe('scripted');
    await va.close();
  });
});
