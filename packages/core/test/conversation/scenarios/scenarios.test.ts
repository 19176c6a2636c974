import { checkScenario, type Scenario } from '@va/testkit/scenarios';
import { describe, it } from 'vitest';
import { answering } from './answering.ts';
import { budgets } from './budgets.ts';
import { control } from './control.ts';
import { endpointing } from './endpointing.ts';
import { hostTools } from './host-tools.ts';
import { interruption } from './interruption.ts';
import { judgedTurns } from './judged-turns.ts';
import { keys } from './keys.ts';
import { languages } from './languages.ts';
import { listening } from './listening.ts';
import { placedCall } from './placed-scenario.ts';
import { preemption } from './preemption.ts';
import { providers } from './providers.ts';
import { realtime } from './realtime.ts';
import { speaking } from './speaking.ts';
import { steady } from './steady.ts';
import { tools } from './tools.ts';
import { transfers } from './transfers.ts';
import { waiting } from './waiting.ts';

const themes: Readonly<Record<string, readonly Scenario[]>> = {
  endpointing,
  'an STT provider that detects turns': judgedTurns,
  'an interruption': interruption,
  'a preemptive reply': preemption,
  'agent speech': speaking,
  'a tool call': tools,
  'a tool of the host': hostTools,
  'an agent with several languages': languages,
  'a failing provider': providers,
  'a conversation while waiting': waiting,
  keys,
  'a control command': control,
  'a speech-to-speech model': realtime,
  'a transfer': transfers,
  'a budget': budgets,
};

describe.each(Object.entries(themes))('%s', (_theme, scenarios) => {
  it.each(scenarios)('$name', async (scenario) => {
    await checkScenario(steady(scenario));
  });
});

describe('listening with default settings', () => {
  it.each(listening)('$name', async (scenario) => {
    await checkScenario(scenario);
  });
});

describe('answering-machine detection of outbound calls', () => {
  it.each(answering)('$name', async (scenario) => {
    await checkScenario(steady(scenario), { open: placedCall });
  });
});
