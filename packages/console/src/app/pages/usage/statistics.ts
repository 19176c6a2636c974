import type { Client } from '@va/client';

export type Statistics = Awaited<ReturnType<Client['statistics']['get']>>;
export type Group = 'day' | 'agent' | 'campaign' | 'end_reason';
export type Figures = Statistics['total'];

export const groups: readonly Group[] = ['day', 'agent', 'campaign', 'end_reason'];

export function groupOf(text: string | undefined): Group {
  return groups.find((group) => group === text) ?? 'day';
}
