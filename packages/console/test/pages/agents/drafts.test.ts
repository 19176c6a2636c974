// @vitest-environment happy-dom
import { sampleAgent } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { draftsOf, fieldsOf, hasDraft } from '../../../src/app/pages/agents/drafts.ts';
import { sessionWith } from '../../support/session.ts';

const agent = sampleAgent();

describe('the drafts of a session', () => {
  it('are kept by session', () => {
    const [one, other] = [sessionWith({}), sessionWith({})];
    draftsOf(one).set(agent.id, { name: 'Changed' });
    expect([hasDraft(one, agent), hasDraft(other, agent)]).toEqual([true, false]);
    expect(draftsOf(one)).toBe(draftsOf(one));
  });

  it.each([
    ['nothing was edited', undefined, false],
    ['all fields were set back', fieldsOf(agent), false],
    ['a field differs', { ...fieldsOf(agent), name: 'Changed' }, true],
  ])('when %s, are unsaved: %s', (_, draft, isUnsaved) => {
    const session = sessionWith({});
    if (draft !== undefined) draftsOf(session).set(agent.id, draft);
    expect(hasDraft(session, agent)).toBe(isUnsaved);
  });

  it('leave out what the service sets', () => {
    const fields = fieldsOf(agent);
    expect(fields).toMatchObject({ name: agent.name, llm_config: agent.llm_config });
    expect(Object.keys(fields).filter((key) => ['id', 'created_at', 'updated_at'].includes(key))).toEqual([]);
  });
});
