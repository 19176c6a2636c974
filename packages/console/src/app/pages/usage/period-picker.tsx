import type { JSX } from 'preact';
import { setQuery } from '../../router/route.ts';
import { texts } from '../../texts/en.ts';
import { lastDays, type Period } from './period.ts';
import { groups, type UsageGroup } from './statistics.ts';

const choices = [7, 30, 90, 365];

/** Selects the period and the grouping, which are stored in the URL. */
export function PeriodPicker({ period, group }: { readonly period: Period; readonly group: UsageGroup }): JSX.Element {
  const { period: words, group: groupWords } = texts.usage;
  return (
    <fieldset class="period">
      <legend class="visually-hidden">{words.label}</legend>
      {choices.map((days) => {
        const { from, to } = lastDays(days, Date.now());
        const isChosen = period.from === from && period.to === to;
        return (
          <button
            key={days}
            type="button"
            class="button plain"
            aria-pressed={isChosen}
            onClick={() => setQuery({ from, to })}
          >
            {words.days(days)}
          </button>
        );
      })}
      <label for="period-from">
        {words.from}
        <input
          id="period-from"
          type="date"
          value={period.from}
          onChange={(event) => setQuery({ from: event.currentTarget.value })}
        />
      </label>
      <label for="period-to">
        {words.to}
        <input
          id="period-to"
          type="date"
          value={period.to}
          onChange={(event) => setQuery({ to: event.currentTarget.value })}
        />
      </label>
      <label>
        {groupWords.label}
        <select value={group} onChange={(event) => setQuery({ group: event.currentTarget.value })}>
          {groups.map((each) => (
            <option key={each} value={each}>
              {groupWords[each]}
            </option>
          ))}
        </select>
      </label>
      <span class="small muted">{words.note}</span>
    </fieldset>
  );
}
