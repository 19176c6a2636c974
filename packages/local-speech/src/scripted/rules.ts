import { runInNewContext } from 'node:vm';
import { type LlmConfig, ProviderError } from '@va/core';
import { z } from 'zod';

function isRegex(source: string): boolean {
  try {
    return Boolean(new RegExp(source, 'iu'));
  } catch {
    return false;
  }
}

const maxRules = 200;
const maxPatternCharacters = 500;
/** Time limit for matching all patterns of one reply, which come from a tenant and run in the event loop. */
const matchTimeoutMs = 250;

export interface Rule {
  /** Regular expression, matched case-insensitively against the caller's last words. */
  readonly when: string;
  readonly say?: string | undefined;
  readonly call?: { readonly tool: string; readonly arguments: Record<string, unknown> } | undefined;
  /** Said after the called tool has returned. */
  readonly thenSay?: string | undefined;
  readonly endCall: boolean;
  /** True if the rule applies to its first match in a phone call only. */
  readonly once: boolean;
}

export interface Script {
  readonly rules: readonly Rule[];
  /** Said when no rule matches. */
  readonly fallback: string;
}

const ruleSchema: z.ZodType<Rule> = z
  .strictObject({
    when: z.string().max(maxPatternCharacters).refine(isRegex, 'is not a regular expression'),
    say: z.string().optional(),
    call: z
      .strictObject({ tool: z.string().min(1), arguments: z.record(z.string(), z.unknown()).default({}) })
      .optional(),
    thenSay: z.string().optional(),
    endCall: z.boolean().default(false),
    once: z.boolean().default(false),
  })
  .refine(({ say, call, endCall }) => say !== undefined || call !== undefined || endCall, 'says and does nothing');

/** Settings of `llm_config` in addition to the common ones. */
export const scriptSchema = z.object({
  rules: z.array(ruleSchema).min(1).max(maxRules),
  fallback: z.string().default('Sorry, I did not understand that.'),
});

/** @throws ProviderError `invalid_request` that names the invalid field */
export function parseScript(config: LlmConfig): Script {
  const parsed: z.ZodSafeParseResult<Script> = scriptSchema.safeParse(config);
  if (parsed.success) return parsed.data;
  throw new ProviderError('scripted', 'invalid_request', `llm_config is invalid: ${z.prettifyError(parsed.error)}`);
}

export interface AppliedRule {
  readonly rule: Rule;
  readonly match: RegExpExecArray;
}

/**
 * Returns the first rule that matches the last of the caller's messages; earlier messages use up rules with `once`. No
 * rule matches when the patterns exceed their time limit.
 */
export function applyRules(rules: readonly Rule[], userMessages: readonly string[]): AppliedRule | undefined {
  const apply = (): AppliedRule | undefined => lastFit(rules, userMessages);
  try {
    return runInNewContext('apply()', { apply }, { timeout: matchTimeoutMs });
  } catch (thrown) {
    if (isTimeout(thrown)) return undefined;
    throw thrown;
  }
}

function isTimeout(thrown: unknown): boolean {
  return (
    typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}

function lastFit(rules: readonly Rule[], userMessages: readonly string[]): AppliedRule | undefined {
  const used = new Set<Rule>();
  let applied: AppliedRule | undefined;
  for (const message of userMessages) {
    applied = firstFit(rules, used, message);
    if (applied?.rule.once) used.add(applied.rule);
  }
  return applied;
}

function firstFit(rules: readonly Rule[], used: ReadonlySet<Rule>, message: string): AppliedRule | undefined {
  for (const rule of rules) {
    const match = used.has(rule) ? null : new RegExp(rule.when, 'iu').exec(message);
    if (match !== null) return { rule, match };
  }
  return undefined;
}
