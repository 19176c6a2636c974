import { Random } from '../seed/random.ts';
import type { Seeded } from '../seed/seed.ts';
import { orderNumber } from '../seed/transcripts.ts';
import { vocabulary } from '../seed/vocabulary.ts';
import type { Requests } from './api-client.ts';

const perKind = 20;
const dayMs = 86_400_000;

/** Returns searches in transcripts, with words from the most frequent to those that nobody has said. */
export function searches({ calls, agentIds, campaignIds }: Seeded): Requests {
  const random = new Random(11);
  const of = (from: number, to: number): string => vocabulary[random.integer(from, to)] ?? '';
  const veryCommon = (): string => of(0, 30);
  const common = (): string => of(100, 400);
  const medium = (): string => of(1_000, 4_000);
  const rare = (): string => of(15_000, 29_999);
  const unknown = (): string => `${rare()}${medium()}q`;
  const number = (): string => orderNumber(random.integer(0, calls - 1));
  const agent = (): string => `&agent_id=${agentIds[random.integer(0, agentIds.length - 1)]}`;
  const campaign = (): string => `&campaign_id=${campaignIds[random.integer(0, campaignIds.length - 1)]}`;
  const week = (): string => {
    const endMs = Date.now() - random.integer(0, 80) * dayMs;
    return `&start_date=${new Date(endMs - 7 * dayMs).toISOString()}&end_date=${new Date(endMs).toISOString()}`;
  };
  const kinds: Readonly<Record<string, () => string>> = {
    'a very common word': veryCommon,
    'a common word': common,
    'a medium word': medium,
    'a rare word': rare,
    'an order number': number,
    'a word that nobody said': unknown,
    'the beginning of many words': () => of(0, 30).slice(0, 1),
    'two very common words': () => `${veryCommon()} ${veryCommon()}`,
    'two medium words': () => `${medium()} ${medium()}`,
    'a very common and a rare word': () => `${veryCommon()} ${rare()}`,
    'a rare word and the beginning of many': () => `${rare()} ${veryCommon().slice(0, 1)}`,
    'eight common words': () => Array.from({ length: 8 }, common).join(' '),
    'a very common word, agent': () => `${veryCommon()}${agent()}`,
    'a medium word, agent': () => `${medium()}${agent()}`,
    'a rare word, agent': () => `${rare()}${agent()}`,
    'a medium word, campaign': () => `${medium()}${campaign()}`,
    'a very common word, a week': () => `${veryCommon()}${week()}`,
    'a medium word, a week': () => `${medium()}${week()}`,
    'a rare word, a week': () => `${rare()}${week()}`,
    'two common words, agent, a week': () => `${common()} ${common()}${agent()}${week()}`,
    'a common word, page 10': () => `${common()}&offset=450`,
  };
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, make]) => [
      kind,
      Array.from({ length: perKind }, () => `/calls?limit=50&q=${make()}`),
    ]),
  );
}
