import type { UsageSummary } from '@va/client';
import type { JSX } from 'preact';
import { texts } from '../../texts/en.ts';
import { CostTable } from '../../ui/values/cost-table.tsx';
import { formatCount } from '../../ui/values/format.ts';
import { Shares } from './shares.tsx';

/** Costs by provider and kind of usage. */
export function ProviderCosts({ summary }: { readonly summary: UsageSummary }): JSX.Element {
  const { title, none, unpriced } = texts.usage.costs;
  const { breakdown } = summary;
  const byProvider = new Map<string, number>();
  for (const { provider, price } of breakdown) byProvider.set(provider, (byProvider.get(provider) ?? 0) + (price ?? 0));
  const shares = [...byProvider].map(([provider, price]) => ({
    ...{ key: provider, name: provider, value: price, shown: formatCount(price) },
  }));
  return (
    <section class="card stack">
      <h2>{title}</h2>
      {breakdown.length === 0 && <p class="muted">{none}</p>}
      <Shares shares={shares} />
      {breakdown.length > 0 && (
        <CostTable
          label={title}
          items={breakdown}
          formatPrice={(price) => (price === null ? unpriced : formatCount(price))}
        />
      )}
    </section>
  );
}
