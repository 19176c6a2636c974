import { scriptedLlm, scriptedRealtime, scriptedStt, scriptedTts } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Agent, agentDefaults, updateAgentSchema } from '../../../src/domain/agents/agent.ts';
import { type AgentCheck, checkAgent } from '../../../src/operations/agents/agent-checks.ts';
import { endpointFaults } from '../../../src/operations/agents/endpoint-checks.ts';
import type { Provider } from '../../../src/ports/providers/provider.ts';
import { faultsOf, orgId, refusal } from '../support.ts';

const providers: readonly Provider[] = [
  { ...scriptedStt(), optionsSchema: z.looseObject({ punctuate: z.boolean().optional() }) },
  { ...scriptedLlm([]), optionsSchema: z.looseObject({ top_p: z.number().max(1).optional() }) },
  scriptedLlm([], { id: 'backup' }),
  scriptedTts(),
  { ...scriptedRealtime(), id: 'voice', aliases: ['voice-mini'] },
];

const check: AgentCheck = {
  orgId,
  providers,
  schemas: { faultsOf: async () => [] },
  tools: undefined,
  clips: undefined,
  currency: 'EUR',
};

type Configs = Parameters<typeof checkAgent>[0];

/** Settings as they are after the schema has read them. */
function configs(written: z.input<typeof updateAgentSchema>): Configs {
  return { ...agentDefaults, ...updateAgentSchema.parse(written) } as Partial<Agent>;
}

async function faults(
  written: z.input<typeof updateAgentSchema>,
  changes: Partial<AgentCheck> = {},
): Promise<string[]> {
  return faultsOf(await refusal(checkAgent(configs(written), { ...check, ...changes })));
}

const accepted = (written: z.input<typeof updateAgentSchema>, changes: Partial<AgentCheck> = {}): Promise<void> =>
  checkAgent(configs(written), { ...check, ...changes });

const scripted = { provider: 'scripted' };

describe('the providers of an agent', () => {
  it('are those that are registered', async () => {
    await accepted({ stt_config: scripted, llm_config: scripted, tts_config: scripted });
    await accepted({ llm_config: { provider: 'voice-mini' } });
    expect(
      await faults({
        stt_config: { provider: 'gone' },
        llm_config: { provider: 'gone' },
        tts_config: { provider: 'gone' },
        analysis_plan: { llm_config: { provider: 'gone' } },
        speech_config: { languages: [{ language: 'nl', tts_config: { provider: 'gone' } }] },
      }),
    ).toEqual([
      'stt_config.provider invalid_reference',
      'llm_config.provider invalid_reference',
      'tts_config.provider invalid_reference',
      'speech_config.languages.0.tts_config.provider invalid_reference',
      'analysis_plan.llm_config.provider invalid_reference',
    ]);
  });

  it('are of the right kind', async () => {
    expect(await faults({ stt_config: { provider: 'backup' } })).toEqual(['stt_config.provider invalid_reference']);
    expect(await faults({ tts_config: { provider: 'voice' } })).toEqual(['tts_config.provider invalid_reference']);
  });

  it('are listed in the message of a fault', async () => {
    const error = await refusal(accepted({ llm_config: { provider: 'gone' } }));
    expect(error.message).toContain('there are: scripted, backup, voice, voice-mini');
    const empty = await refusal(accepted({ llm_config: { provider: 'gone' } }, { providers: [] }));
    expect(empty.message).toContain('there are: none');
  });

  it('are not checked in a process that does not know them', async () => {
    await accepted({ llm_config: { provider: 'gone', anything: 1 } }, { providers: undefined });
  });

  it('are not a speech-to-speech model for fallbacks and analyses', async () => {
    expect(await faults({ llm_config: { ...scripted, fallbacks: [{ provider: 'voice' }] } })).toEqual([
      'llm_config.fallbacks.0.provider invalid_reference',
    ]);
    expect(await faults({ analysis_plan: { llm_config: { provider: 'voice' } } })).toEqual([
      'analysis_plan.llm_config.provider invalid_reference',
    ]);
  });
});

describe('the settings of a provider', () => {
  it('are the common ones and its own', async () => {
    await accepted({ llm_config: { ...scripted, model: 'm', temperature: 1, top_p: 0.5 } });
    expect(await faults({ llm_config: { ...scripted, top_p: 2 } })).toEqual(['llm_config.top_p invalid_field']);
  });

  it('are checked for fallbacks too, which share messages and tools with the first', async () => {
    expect(await faults({ llm_config: { provider: 'backup', fallbacks: [{ ...scripted, top_p: 2 }] } })).toEqual([
      'llm_config.fallbacks.0.top_p invalid_field',
    ]);
  });
});

describe('a speech-to-speech model', () => {
  it.each<[string, z.input<typeof updateAgentSchema>, string[]]>([
    ['fallbacks', { llm_config: { provider: 'voice', fallbacks: [scripted] } }, ['llm_config.fallbacks']],
    ['a context', { llm_config: { provider: 'voice', context: { max_tokens: 1_000 } } }, ['llm_config.context']],
    [
      'languages',
      { llm_config: { provider: 'voice' }, speech_config: { languages: [{ language: 'nl' }] } },
      ['speech_config.languages'],
    ],
  ])('has no %s', async (_what, written, paths) => {
    const error = await refusal(accepted(written));
    expect([error.status, error.code]).toEqual([422, 'not_supported_in_realtime']);
    expect(error.faults.map(({ path }) => path)).toEqual(paths);
  });

  it('does not restrict the settings of other models', async () => {
    await accepted({
      llm_config: { ...scripted, fallbacks: [{ provider: 'backup' }], context: { max_tokens: 1_000 } },
      speech_config: { languages: [{ language: 'nl' }] },
    });
  });
});

describe('a budget', () => {
  it('needs prices', async () => {
    await accepted({ budget: { max_cost: 1 } });
    expect(await faults({ budget: { max_cost: 1 } }, { currency: null })).toEqual(['budget invalid_field']);
    await accepted({ budget: null }, { currency: null });
  });
});

describe('audio clips', () => {
  const clips = { has: (name: string) => name === 'waltz' };

  it('must be among those of the host', async () => {
    await accepted({ speech_config: { hold: { clip: 'waltz' }, ambient: { clip: null } } }, { clips });
    expect(await faults({ speech_config: { hold: { clip: 'tango' }, ambient: { clip: 'rain' } } }, { clips })).toEqual([
      'speech_config.ambient.clip invalid_reference',
      'speech_config.hold.clip invalid_reference',
    ]);
  });

  it('are not checked in a process that does not know them', async () => {
    await accepted({ speech_config: { hold: { clip: 'tango' } } });
  });
});

describe('JSON Schemas', () => {
  it('are checked for the analysis and the parameters of tools', async () => {
    const seen: string[] = [];
    const schemas: AgentCheck['schemas'] = {
      faultsOf: async (owner, _schema, path) => {
        seen.push(`${owner === orgId} ${path}`);
        return [];
      },
    };
    const tools = [
      { type: 'endCall' as const },
      { type: 'function' as const, name: 'book', server: { url: 'https://customer.test/book' } },
    ];
    const structuredDataPlan = { enabled: true, schema: { type: 'object' }, messages: [] };
    await accepted({ llm_config: { ...scripted, tools }, analysis_plan: { structuredDataPlan } }, { schemas });
    expect(seen).toEqual(['true analysis_plan.structuredDataPlan.schema', 'true llm_config.tools.1.parameters']);
  });

  it('are faults of the agent', async () => {
    const fault = { path: 'llm_config.tools.0.parameters', code: 'invalid_schema', message: 'no' };
    const tools = [{ type: 'function' as const, name: 'book', server: { url: 'https://customer.test/book' } }];
    const schemas = { faultsOf: async () => [fault] };
    expect(await faults({ llm_config: { ...scripted, tools } }, { schemas })).toEqual([
      'llm_config.tools.0.parameters invalid_schema',
    ]);
  });
});

describe('endpointFaults', () => {
  const refusing: Provider = {
    ...scriptedLlm([], { id: 'custom' }),
    checkOptions: async (config, { orgId: owner }) =>
      config.url === 'http://10.0.0.1' ? [{ path: ['url'], message: `not for ${owner}` }] : [],
  };
  const faultsWith = (written: z.input<typeof updateAgentSchema>, given: readonly Provider[] | undefined) =>
    endpointFaults(configs(written), { providers: given, orgId });
  const custom = { provider: 'custom', url: 'http://10.0.0.1' };

  it('asks the provider of each model, of fallbacks and of the analysis', async () => {
    const found = await faultsWith(
      { llm_config: { ...scripted, fallbacks: [custom] }, analysis_plan: { llm_config: custom } },
      [refusing],
    );
    expect(found).toEqual([
      { path: 'llm_config.fallbacks.0.url', code: 'invalid_field', message: `not for ${orgId}` },
      { path: 'analysis_plan.llm_config.url', code: 'invalid_field', message: `not for ${orgId}` },
    ]);
  });

  it('finds nothing for other providers, or in a process that does not know them', async () => {
    expect(await faultsWith({ llm_config: scripted }, [refusing, ...providers])).toEqual([]);
    expect(await faultsWith({ llm_config: custom }, undefined)).toEqual([]);
  });
});
