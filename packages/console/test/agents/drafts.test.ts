import type { Agent } from '@va/client';
import { sampleAgent } from '@va/testkit';
import { describe, expect, it } from 'vitest';

/** Loaded untyped: types of Preact would add those of the DOM. */
interface Drafts {
  draftsOf(session: object): Map<string, Readonly<Record<string, unknown>>>;
  hasDraft(session: object, agent: Agent): boolean;
  fieldsOf(agent: Agent): Readonly<Record<string, unknown>>;
}
const source = '../../src/app/pages/agents/drafts.ts';
const { draftsOf, hasDraft, fieldsOf }: Drafts = await import(source);

const agent = sampleAgent();

describe('the drafts of a session', () => {
  it('are kept by session', () => {
    const [one, other] = [{}, {}];
    draftsOf(one).set(agent.id, { name: 'Changed' });
    expect([hasDraft(one, agent), hasDraft(other, agent)]).toEqual([true, false]);
    expect(draftsOf(one)).toBe(draftsOf(one));
  });

  it.each([
    ['nothing was edited', undefined, false],
    ['all fields were set back', fieldsOf(agent), false],
    ['a field differs', { ...fieldsOf(agent), name: 'Changed' }, true],
  ])('when %s, are unsaved: %s', (_, draft, isUnsaved) => {
    const session = {};
    if (draft !== undefined) draftsOf(session).set(agent.id, draft);
    expect(hasDraft(session, agent)).toBe(isUnsaved);
  });

  it('leave out what the service sets', () => {
    const fields = fieldsOf(agent);
    expect(fields).toMatchObject({ name: agent.name, llm_config: agent.llm_config });
    expect(Object.keys(fields).filter((key) => ['id', 'created_at', 'updated_at'].includes(key))).toEqual([]);
  });
});
