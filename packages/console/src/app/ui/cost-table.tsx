import type { UsageSummary } from '@va/client';
import type { JSX } from 'preact';
import { texts } from '../texts/en.ts';
import { formatCount } from './format.ts';

type CostRow = UsageSummary['breakdown'][number] & { readonly is_estimate?: boolean };

/** What providers have done, and its price. */
export function CostTable({
  items,
  formatPrice,
}: {
  readonly items: readonly CostRow[];
  readonly formatPrice: (price: number | null) => string | number;
}): JSX.Element {
  const { columns, estimate, ownKey } = texts.costs;
  return (
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
          {items.map((item) => (
            <tr key={[item.provider, item.model, item.kind, item.unit, item.own_key, item.is_estimate].join(' ')}>
              <td>
                {item.provider} <span class="muted">{item.model}</span>
              </td>
              <td>
                {item.kind} {item.is_estimate === true && <span class="badge">{estimate}</span>}{' '}
                {item.own_key && <span class="badge">{ownKey}</span>}
              </td>
              <td class="number">
                {formatCount(item.quantity)} {item.unit}
              </td>
              <td class="number">{formatPrice(item.price)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
