import type { Call } from '@va/client';
import type { ComponentChildren, JSX } from 'preact';
import { hrefOf } from '../../router/fragment.ts';
import { texts } from '../../texts/en.ts';
import { formatDuration, formatTime } from '../../ui/values/format.ts';

/** Parties, start and duration of a call. */
export function CallFacts({ call }: { readonly call: Call }): JSX.Element {
  const { facts } = texts.call;
  const { assistant_phone: ownNumber } = call;
  return (
    <dl class="call-facts">
      {ownNumber !== null && <Fact name={facts.number}>{ownNumber}</Fact>}
      <Fact name={facts.direction}>{texts.calls.directions[call.direction]}</Fact>
      <Fact name={facts.agent}>
        {call.agent_id === null ? (
          (call.agent_name ?? '–')
        ) : (
          <a href={hrefOf(['agents', call.agent_id])}>{call.agent_name ?? call.agent_id}</a>
        )}
      </Fact>
      {call.campaign_id !== null && (
        <Fact name={facts.campaign}>
          <a href={hrefOf(['campaigns', call.campaign_id])}>{facts.showCampaign}</a>
        </Fact>
      )}
      <Fact name={facts.started}>{formatTime(call.started_at)}</Fact>
      <Fact name={facts.duration}>{formatDuration(call.duration_seconds)}</Fact>
      {call.cost !== null && <Fact name={facts.cost}>{call.cost}</Fact>}
      {call.transfer_destination !== null && <Fact name={facts.transferred}>{call.transfer_destination}</Fact>}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt class="small muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
