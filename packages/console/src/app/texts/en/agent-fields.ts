import type { FieldTexts } from '../field-texts.ts';

/** Labels and help texts of the fields of an agent, by path. */
export const agentFields: FieldTexts = {
  name: { label: 'Name', help: 'For your team. Callers do not hear it.' },
  business_name: { label: 'Business name', help: 'Whom the agent answers for. Shown in lists of calls.' },
  notification_email: { label: 'Notification e-mail', help: 'Gets a mail about each call.' },
  first_message: { label: 'First message', help: 'Spoken when the call is answered. May have {{variables}}.' },
  is_active: { label: 'Active', help: 'An inactive agent takes no calls.' },
  metadata: { label: 'Metadata', help: 'A JSON object of yours, part of every webhook.' },

  'llm_config.provider': {
    label: 'Provider',
    help: 'xai_realtime, openai_realtime and the like are speech-to-speech: they need no recognizer and no voice.',
  },
  'llm_config.model': { label: 'Model', help: 'Empty is the default of the provider.' },
  'llm_config.voice': { label: 'Voice of a speech-to-speech model' },
  'llm_config.temperature': { label: 'Temperature', help: 'Lower is more predictable. 0.3 to 0.7 suits most agents.' },
  'llm_config.url': { label: 'URL', help: 'An endpoint of your own with the provider’s interface.' },
  'llm_config.headers': {
    label: 'Headers',
    help: 'Sent to the endpoint. Never shown again; left empty, the stored ones stay.',
  },
  'llm_config.api_key': {
    label: 'API key of the endpoint',
    help: 'Never shown again; left empty, the stored one stays.',
  },
  'llm_config.messages': {
    label: 'All messages',
    help: 'The prompt has the role system. Others are examples of a conversation.',
  },
  'llm_config.context': { label: 'Long conversations' },
  'llm_config.context.max_tokens': {
    label: 'Tokens at most',
    help: 'Of the turns and their summary, beside prompt and tools.',
  },
  'llm_config.context.keep_last_turns': { label: 'Turns kept word for word' },
  'llm_config.context.summarize': { label: 'Summarize older turns', help: 'Else they are left out.' },
  'llm_config.fallbacks': { label: 'Fallbacks', help: 'Tried in this order when the provider fails.' },

  'stt_config.provider': { label: 'Recognizer' },
  'stt_config.model': { label: 'Model' },
  'stt_config.language': { label: 'Language', help: 'BCP 47, such as nl-NL.' },
  'stt_config.keyterms': { label: 'Key terms', help: 'Names and words that the recognizer should expect.' },
  'stt_config.fallbacks': { label: 'Fallbacks' },

  'tts_config.provider': { label: 'Synthesizer' },
  'tts_config.voiceId': {
    label: 'Voice',
    help: 'The id of a voice of the provider. Choose one below, or enter one of your own library.',
  },
  'tts_config.model': { label: 'Model' },
  'tts_config.language': { label: 'Language' },
  'tts_config.fallbacks': { label: 'Fallbacks' },

  speech_config: { label: 'Conversation' },
  'speech_config.vad': { label: 'Speech detection', help: 'When a sound counts as speech, and silence as its end.' },
  'speech_config.vad.start_threshold': {
    label: 'Threshold of speech',
    help: 'Higher ignores more noise, and more of quiet callers.',
  },
  'speech_config.vad.end_threshold': { label: 'Threshold of silence', help: 'Higher ends speech sooner.' },
  'speech_config.vad.min_speech_ms': { label: 'Shortest speech (ms)' },
  'speech_config.vad.min_silence_ms': {
    label: 'Shortest silence (ms)',
    help: 'No turn ends before it, whatever else is set.',
  },
  'speech_config.endpointing': {
    label: 'End of the caller’s turn',
    help: 'How long the agent waits after the last word.',
  },
  'speech_config.endpointing.preset': { label: 'Preset' },
  'speech_config.endpointing.mode': {
    label: 'Mode',
    help: 'Adaptive weighs words, question and voice; fixed always waits the same.',
  },
  'speech_config.endpointing.min_delay_ms': {
    label: 'After a complete sentence (ms)',
    help: 'Empty follows the preset.',
  },
  'speech_config.endpointing.open_delay_ms': {
    label: 'Where the evidence is open (ms)',
    help: 'Empty follows the preset.',
  },
  'speech_config.endpointing.unfinished_delay_ms': {
    label: 'After incomplete words (ms)',
    help: 'Empty follows the preset.',
  },
  'speech_config.endpointing.max_delay_ms': {
    label: 'For missing words (ms)',
    help: 'Maximum wait for the final words of the recognizer.',
  },
  'speech_config.endpointing.weights': { label: 'Weights of the evidence', help: '1 is normal, 0 ignores it.' },
  'speech_config.endpointing.max_turn_ms': { label: 'Longest turn (ms)' },
  'speech_config.interruption': { label: 'Interruptions', help: 'When a caller who speaks stops the agent.' },
  'speech_config.interruption.enabled': { label: 'Callers can interrupt' },
  'speech_config.interruption.lower_db': { label: 'Lowered while in doubt (dB)' },
  'speech_config.interruption.min_duration_ms': { label: 'Shortest interruption (ms)' },
  'speech_config.interruption.min_words': { label: 'Words needed' },
  'speech_config.interruption.ignore_backchannels': {
    label: 'Ignore signs of listening',
    help: 'Such as “uh-huh” and “yes”.',
  },
  'speech_config.interruption.backchannels': { label: 'Further signs of listening' },
  'speech_config.interruption.resume_after_ms': { label: 'Resume after a false alarm (ms)' },
  'speech_config.interruption.during_tools': { label: 'Also while a tool runs' },
  'speech_config.interruption.mute_strategies': { label: 'Not listened to at all' },
  'speech_config.unrecognized': { label: 'Speech that was not understood' },
  'speech_config.unrecognized.prompts': { label: 'Questions, one each time in a row' },
  'speech_config.preemptive': {
    label: 'Prepared replies',
    help: 'The reply is prepared while the caller may still go on. Faster, at some cost.',
  },
  'speech_config.silence': { label: 'Silent callers' },
  'speech_config.silence.timeout_ms': { label: 'Asked after (ms)' },
  'speech_config.silence.prompts': { label: 'Questions, one each time in a row' },
  'speech_config.filler': { label: 'Filler phrases', help: 'Spoken while a tool runs.' },
  'speech_config.dtmf': { label: 'Keys of the telephone' },
  'speech_config.ambient': { label: 'Background sound' },
  'speech_config.hold': { label: 'Hold music' },
  'speech_config.normalize_text': { label: 'Speak numbers and dates as words' },
  'speech_config.pronunciations': { label: 'Pronunciations' },
  'speech_config.pronunciations.text': { label: 'Written' },
  'speech_config.pronunciations.say': { label: 'Spoken' },
  'speech_config.first_message_interruptible': { label: 'The first message can be interrupted' },
  'speech_config.languages': { label: 'Further languages', help: 'The agent follows a caller who speaks one of them.' },

  analysis_plan: { label: 'Analysis after the call' },
  'analysis_plan.summaryPlan': { label: 'Summary' },
  'analysis_plan.structuredDataPlan': { label: 'Structured data', help: 'Facts that are taken from the transcript.' },
  'analysis_plan.structuredDataPlan.schema': { label: 'JSON Schema', help: 'Of type object: the fields to fill.' },
  'analysis_plan.minMessagesThreshold': { label: 'Messages at least', help: 'Shorter calls are not analyzed.' },
  'analysis_plan.llm_config': { label: 'Model of the analysis', help: 'Empty is the model of the agent.' },

  webhook_url: { label: 'Webhook URL', help: 'Gets the events and the calls of tools without a URL of their own.' },
  webhook_secret: {
    label: 'Secret',
    help: 'Signs every request. A changed secret stays valid beside the new one for a while.',
  },
  webhook_events: { label: 'Events', help: 'None chosen is all but assistant-request.' },

  max_duration_seconds: { label: 'Longest call (seconds)' },
  silence_timeout_seconds: { label: 'End after silence (seconds)', help: 'Empty: calls in which nobody speaks go on.' },
  voicemail_detection: { label: 'Detect answering machines', help: 'Of calls that the agent places.' },
  voicemail_message: { label: 'Message for answering machines', help: 'Left after the beep. Empty hangs up.' },
  recording_enabled: { label: 'Record calls' },
  budget: { label: 'Budget of a call' },
  'budget.max_cost': {
    label: 'Cost at most',
    help: 'In the currency of the service. The agent hangs up when it is used up.',
  },
  'budget.warn_at': { label: 'Warn at', help: 'Share of the budget, 0 to 1, at which a budget event is sent.' },
  'budget.message': { label: 'Last words' },
};
