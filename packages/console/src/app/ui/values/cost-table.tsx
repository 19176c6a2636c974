import type { UsageSummary } from '@va/client';
import type { JSX } from 'preact';
import { texts } from '../../texts/en.ts';
import { Scroller } from '../list/scroller.tsx';
import { formatCount } from './format.ts';

type CostRow = UsageSummary['breakdown'][number] & { readonly is_estimate?: boolean };

/** Billed quantities of each provider with their prices. */
export function CostTable({
  items,
  formatPrice,
  label,
}: {
  readonly items: readonly CostRow[];
  /** Accessible name of the table. */
  readonly label: string;
  readonly formatPrice: (price: number | null) => string | number;
}): JSX.Element {
  const { columns, estimate, ownKey } = texts.costs;
  return (
    <Scroller class="scroll-x" label={label}>
      <table class="dense" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{columns.provider}</th>
            <th scope="col">{columns.kind}</th>
            <th scope="col" class="number">
              {columns.quantity}
            </th>
            <th scope="col" class="number">
              {columns.price}
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={[item.provider, item.model, item.kind, item.unit, item.own_key, item.is_estimate].join(' ')}>
              <td>
                {item.provider} <span class="muted">{item.model}</span>
              </td>
              <td>
                {texts.costs.kind(item.kind)} {item.is_estimate === true && <span class="badge">{estimate}</span>}{' '}
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
    </Scroller>
  );
}
