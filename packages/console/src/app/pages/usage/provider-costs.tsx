import type { UsageSummary } from '@va/client';
import type { JSX } from 'preact';
import { texts } from '../../texts/en.ts';
import { formatCount } from '../../ui/format.ts';
import { Shares } from './shares.tsx';

/** What each provider costs, and for what. */
export function ProviderCosts({ summary }: { readonly summary: UsageSummary }): JSX.Element {
  const { title, none, columns, ownKey, unpriced } = texts.usage.costs;
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
        <div class="scroll-x">
          <table class="dense">
            <thead>
              <tr>
                <th>{columns.provider}</th>
                <th>{columns.kind}</th>
                <th class="number">{columns.quantity}</th>
                <th class="number">{columns.price}</th>
              </tr>
            </thead>
            <tbody>
              {breakdown.map((item) => (
                <tr key={[item.provider, item.model, item.kind, item.unit, item.own_key].join(' ')}>
                  <td>
                    {item.provider} <span class="muted">{item.model}</span>
                  </td>
                  <td>
                    {item.kind} {item.own_key && <span class="badge">{ownKey}</span>}
                  </td>
                  <td class="number">
                    {formatCount(item.quantity)} {item.unit}
                  </td>
                  <td class="number">{item.price === null ? unpriced : formatCount(item.price)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
