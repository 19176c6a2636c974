import type { JSX } from 'preact';

export interface Share {
  readonly key: string;
  readonly name: string;
  readonly value: number;
  readonly shown: string;
}

/** A bar chart of named values, largest first. */
export function Shares({ shares }: { readonly shares: readonly Share[] }): JSX.Element {
  const sorted = [...shares].sort((a, b) => b.value - a.value);
  const most = Math.max(sorted[0]?.value ?? 0, Number.MIN_VALUE);
  return (
    <ul class="shares">
      {sorted.map(({ key, name, value, shown }) => (
        <li key={key}>
          <span>{name}</span>
          <span class="track" aria-hidden="true">
            <span class="bar" style={{ width: `${(value / most) * 100}%` }} />
          </span>
          <span class="number">{shown}</span>
        </li>
      ))}
    </ul>
  );
}
