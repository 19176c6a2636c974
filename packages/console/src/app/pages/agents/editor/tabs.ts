import { isSame, isWithin, type JsonObject, valueAt } from '../../../data/paths.ts';

/** Tabs of the editor with the paths of their fields. */
export const tabPaths = {
  identity: ['name', 'business_name', 'first_message', 'is_active', 'notification_email', 'metadata'],
  model: ['llm_config'],
  tools: ['llm_config.tools'],
  speech: ['stt_config', 'speech_config'],
  voice: ['tts_config'],
  analysis: ['analysis_plan'],
  webhooks: ['webhook_url', 'webhook_secret', 'webhook_events'],
  limits: [
    'max_duration_seconds',
    'silence_timeout_seconds',
    'voicemail_detection',
    'voicemail_message',
    'recording_enabled',
    'budget',
  ],
} as const satisfies Record<string, readonly string[]>;

export type TabId = keyof typeof tabPaths;
export const tabIds = Object.keys(tabPaths) as readonly TabId[];

export function isTabId(text: string | undefined): text is TabId {
  return text !== undefined && Object.hasOwn(tabPaths, text);
}

/** Returns true if a tab has unsaved changes. Tools are part of the model configuration but have their own tab. */
export function isChanged(tab: TabId, saved: JsonObject, draft: JsonObject): boolean {
  if (tab === 'model') return !isSame(withoutTools(saved), withoutTools(draft));
  return tabPaths[tab].some((path) => !isSame(valueAt(saved, path) ?? null, valueAt(draft, path) ?? null));
}

export function isFaulty(tab: TabId, errors: ReadonlyMap<string, string>): boolean {
  return [...errors.keys()].some((key) => tabOf(key) === tab);
}

function tabOf(path: string): TabId | undefined {
  if (isWithin(path, 'llm_config.tools')) return 'tools';
  return tabIds.find((tab) => tabPaths[tab].some((each) => isWithin(path, each)));
}

function withoutTools({ llm_config: llm }: JsonObject): unknown {
  return typeof llm === 'object' && llm !== null ? { ...llm, tools: undefined } : llm;
}
