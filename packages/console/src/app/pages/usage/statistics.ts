import type { Client } from '@va/client';

export type Statistics = Awaited<ReturnType<Client['statistics']['get']>>;
export type UsageGroup = 'day' | 'agent' | 'campaign' | 'end_reason';
export type CallFigures = Statistics['total'];

export const groups: readonly UsageGroup[] = ['day', 'agent', 'campaign', 'end_reason'];

export function groupOf(text: string | undefined): UsageGroup {
  return groups.find((group) => group === text) ?? 'day';
}
