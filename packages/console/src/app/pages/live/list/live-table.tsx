import type { JSX } from 'preact';
import { hrefOf } from '../../../router/fragment.ts';
import { texts } from '../../../texts/en.ts';
import { otherParty } from '../../../ui/values/other-party.ts';
import { Elapsed } from '../parts/elapsed.tsx';
import { lineOf } from '../parts/parties.ts';
import { Sides } from '../parts/sides.tsx';
import { Wait } from '../parts/wait.tsx';
import { isOver, type LiveRow, type ShownWords } from './live-calls.ts';

/** The table of live calls with rows of a fixed height. */
export function LiveTable({ rows }: { readonly rows: readonly LiveRow[] }): JSX.Element {
  const { columns } = texts.live;
  return (
    <div class="table-frame">
      <table class="live-calls" aria-label={texts.live.caption}>
        <thead>
          <tr>
            <th scope="col">{columns.who}</th>
            <th scope="col">{columns.agent}</th>
            <th scope="col" class="number">
              {columns.time}
            </th>
            <th scope="col">{columns.sides}</th>
            <th scope="col">{columns.waits}</th>
            <th scope="col">{columns.words}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.call.id} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row }: { readonly row: LiveRow }): JSX.Element {
  const { call, floor, levels, words, status } = row;
  return (
    <tr class={isOver(status) ? 'over' : undefined}>
      <td class="who">
        <a href={hrefOf(['live', call.id])}>{otherParty(call)}</a>
        <span class="muted small">{lineOf(call)}</span>
      </td>
      <td class="agent">{call.agent_name ?? '–'}</td>
      <td class="number time">{!isOver(status) && <Elapsed since={row.answeredAt ?? row.startedAt} />}</td>
      <td class="state">
        {status === 'in-progress' ? <Sides state={floor?.state ?? null} levels={levels} /> : <Status row={row} />}
      </td>
      <td class="waits">{status === 'in-progress' ? <Wait floor={floor} /> : <Reason row={row} />}</td>
      <td class="words">{words === null ? <span class="muted">–</span> : <LastWords words={words} />}</td>
    </tr>
  );
}

function Status({ row: { status } }: { readonly row: LiveRow }): JSX.Element {
  return <span class={`badge ${status}`}>{texts.live.statuses[status]}</span>;
}

function Reason({ row: { endReason } }: { readonly row: LiveRow }): JSX.Element | null {
  return endReason === null ? null : <span class="reason">{texts.live.endReasons[endReason] ?? endReason}</span>;
}

function LastWords({ words: { role, text, isPartial } }: { readonly words: ShownWords }): JSX.Element {
  return (
    <span class={isPartial ? 'two-lines partial' : 'two-lines'}>
      <span class="muted">{texts.live.speakers[role]}:</span> {text}
    </span>
  );
}
