// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { Figures, Funnel, ProgressBar } from '../../../src/app/pages/campaigns/progress.tsx';
import { sampleCampaign } from '../../support/records.ts';
import { show } from '../../support/show.tsx';
import { factsOf, textOf } from '../../support/user.ts';

const widths = (element: HTMLElement): readonly (string | undefined)[] =>
  [...element.querySelectorAll<HTMLElement>('.bar')].map(({ style }) => style.width);

describe('the funnel of a campaign', () => {
  it('has a bar for each status, as wide as its share of all leads', () => {
    const { element } = show(<Funnel of={sampleCampaign()} />);
    expect(widths(element)).toEqual(['100%', '40%', '10%', '30%', '10%', '10%']);
  });

  it('has no bars without leads', () => {
    const none = { pending_leads: 0, calling_leads: 0, completed_leads: 0, failed_leads: 0, skipped_leads: 0 };
    const { element } = show(<Funnel of={sampleCampaign({ total_leads: 0, ...none })} />);
    expect(widths(element)).toEqual(['0%', '0%', '0%', '0%', '0%', '0%']);
  });
});

describe('the figures of a campaign', () => {
  it.each([
    ['before the first call', { answered_rate: null, average_duration_seconds: null }, null, '–', '–'],
    ['with no answered call', { answered_rate: 0, average_duration_seconds: null }, 0, '0 %', '–'],
    ['with calls', { answered_rate: 0.666, average_duration_seconds: 125.4 }, 3.25, '67 %', '2:05'],
  ])('are shown %s', (_, changes, perMinute, answered, duration) => {
    const { element } = show(<Figures of={sampleCampaign(changes)} perMinute={perMinute} />);
    expect(factsOf(element)).toMatchObject({ Answered: answered, 'Average duration': duration });
    const pace = perMinute === null ? 'Measured while the campaign runs.' : /^\d+\.\d calls a minute/;
    expect(factsOf(element).Pace).toMatch(pace);
  });
});

describe('the progress of a campaign', () => {
  it.each([
    [{ total_leads: 10, pending_leads: 10, calling_leads: 0 }, '0 / 10'],
    [{ total_leads: 10, pending_leads: 3, calling_leads: 2 }, '5 / 10'],
    [
      { total_leads: 2_000, pending_leads: 0, calling_leads: 0 },
      `${(2_000).toLocaleString()} / ${(2_000).toLocaleString()}`,
    ],
  ])('with %j is "%s"', (counts, words) => {
    expect(textOf(show(<ProgressBar of={counts} />).element)).toBe(words);
  });
});
