export { checkScenario, compareTimeline, ScenarioMismatch } from './compare.ts';
export { InvalidScenario } from './invalid-scenario.ts';
export { type PlayOptions, playScenario } from './play.ts';
export type {
  CallEnd,
  CallerAct,
  ControlAct,
  LlmScript,
  ModelRequest,
  RealtimeScript,
  ReplyPart,
  Saying,
  Scenario,
  ScenarioAgent,
  ScenarioExpectation,
  ScriptedToolAnswer,
  SttScript,
  Timeline,
  TimelineEntry,
  TranscriptLine,
  TtsScript,
} from './scenario.ts';
export {
  inboundCall,
  type OpenScenarioCall,
  type ScenarioCall,
  type ScenarioParts,
  type ScenarioRecord,
} from './scenario-call.ts';
