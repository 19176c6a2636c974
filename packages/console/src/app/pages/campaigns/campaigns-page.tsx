import './campaigns.css';
import type { JSX } from 'preact';
import { route } from '../../router/route.ts';
import type { ConsoleSession } from '../../session/session.ts';
import { CampaignList } from './campaign-list.tsx';
import { CampaignView } from './campaign-view.tsx';

/** Routes `#/campaigns` and `#/campaigns/<id>?status=failed`. */
export function CampaignsPage({ session }: { readonly session: ConsoleSession }): JSX.Element {
  const [, id] = route.value.path;
  return id === undefined ? <CampaignList session={session} /> : <CampaignView key={id} session={session} id={id} />;
}
