import { initializeLogger, llm, stt } from '@livekit/agents';
import * as deepgram from '@livekit/agents-plugin-deepgram';
import * as elevenlabs from '@livekit/agents-plugin-elevenlabs';
import * as openai from '@livekit/agents-plugin-openai';
import * as xai from '@livekit/agents-plugin-xai';
import { AudioFrame } from '@livekit/rtc-node';
import { z } from 'zod';

// Uses the plugins of LiveKit Agents as clients of a vendor's protocol, and prints what they made of it as JSON:
//
//     node livekit.mjs CLIENT SERVER_URL
//
// tests/ of @va/providers run it against the vendor servers of the testkit.
initializeLogger({ pretty: false, level: 'silent' });

const frameMs = 20;

/** A frame of sound that servers take for speech, or of silence. */
function frame(rate, isSpeech) {
  const samples = new Int16Array((rate * frameMs) / 1000);
  if (isSpeech)
    for (let i = 0; i < samples.length; i += 1) samples[i] = 8_000 * Math.sin((i * 2 * Math.PI * 440) / rate);
  return new AudioFrame(samples, rate, 1, samples.length);
}

/** Speech of this length, then silence, in the time that it takes. */
async function speak(push, rate, speechMs, silenceMs) {
  for (let ms = 0; ms < speechMs + silenceMs; ms += frameMs) {
    push(frame(rate, ms < speechMs));
    await new Promise((resolve) => setTimeout(resolve, frameMs));
  }
}

async function hearStream(stream, rate) {
  const events = [];
  const reading = (async () => {
    for await (const { type, alternatives } of stream) {
      // The client reports its usage when it flushes, which can be before or after the last events of the server.
      if (type === stt.SpeechEventType.RECOGNITION_USAGE) continue;
      events.push({ type: stt.SpeechEventType[type], text: alternatives?.[0]?.text ?? null });
      if (type === stt.SpeechEventType.END_OF_SPEECH) return;
    }
  })();
  await speak((audio) => stream.pushFrame(audio), rate, 800, 600);
  stream.flush();
  await speak((audio) => stream.pushFrame(audio), rate, 0, 400);
  stream.endInput();
  await reading;
  stream.close();
  return { events };
}

function realtimeClient(model) {
  return async () => {
    const session = model.session();
    const errors = [];
    const transcripts = [];
    session.on('error', ({ error }) => errors.push(String(error)));
    session.on('input_audio_transcription_completed', ({ transcript, isFinal }) => {
      if (isFinal) transcripts.push(transcript);
    });
    await session.updateInstructions('Be brief.');
    const asked = [];
    const hours = llm.tool({
      name: 'opening_hours',
      description: 'Returns the opening hours of a day.',
      parameters: z.object({ day: z.string() }),
      execute: async ({ day }) => {
        asked.push(day);
        return 'until 22:00';
      },
    });
    await session.updateTools(new llm.ToolContext([hours]));
    await speak((audio) => session.pushAudio(audio), 24_000, 400, 0);
    await session.commitAudio();
    const first = await consume(await session.generateReply());
    const context = session.chatCtx.copy();
    for (const { callId, name, args } of first.calls) {
      const result = await hours.execute(JSON.parse(args), {});
      context.insert(llm.FunctionCallOutput.create({ callId, name, output: result, isError: false }));
    }
    await session.updateChatCtx(context);
    const second = await consume(await session.generateReply());
    await session.truncate({
      messageId: second.messageId,
      audioEndMs: 100,
      modalities: ['audio'],
      audioTranscript: 'Un',
    });
    const items = session.chatCtx.items.map(({ type, role, textContent }) => ({ type, role, text: textContent }));
    await session.close();
    return { errors, transcripts, asked, replies: [first, second], items };
  };
}

async function consume({ messageStream, functionStream }) {
  const reply = { messageId: null, text: '', audioMs: 0, calls: [] };
  await Promise.all([
    (async () => {
      for await (const message of messageStream) {
        reply.messageId = message.messageId;
        await Promise.all([
          (async () => {
            for await (const part of message.textStream) reply.text += typeof part === 'string' ? part : part.text;
          })(),
          (async () => {
            for await (const audio of message.audioStream)
              reply.audioMs += (audio.samplesPerChannel / audio.sampleRate) * 1000;
          })(),
        ]);
      }
    })(),
    (async () => {
      for await (const { callId, name, args } of functionStream) reply.calls.push({ callId, name, args });
    })(),
  ]);
  return reply;
}

const clients = {
  'deepgram-nova': async (url) => {
    const client = new deepgram.STT({ apiKey: 'key', baseUrl: url, sampleRate: 16_000 });
    return hearStream(client.stream(), 16_000);
  },
  'deepgram-flux': async (url) => {
    const client = new deepgram.STTv2({ apiKey: 'key', endpointUrl: `${url}/v2/listen`, sampleRate: 16_000 });
    return hearStream(client.stream(), 16_000);
  },
  elevenlabs: async (url) => {
    const client = new elevenlabs.TTS({ apiKey: 'key', baseURL: `${url}/v1` });
    const stream = client.stream();
    stream.pushText('Good morning. How can I help you today?');
    stream.flush();
    stream.endInput();
    const spoken = { audioMs: 0, words: [] };
    for await (const event of stream) {
      if (typeof event === 'symbol') continue;
      spoken.audioMs += (event.frame.samplesPerChannel / event.frame.sampleRate) * 1000;
      for (const { text } of event.timedTranscripts ?? []) spoken.words.push(text);
    }
    await client.close();
    return spoken;
  },
  'elevenlabs-scribe': async (url) => {
    const client = new elevenlabs.STT({ apiKey: 'key', baseURL: `${url}/v1`, modelId: 'scribe_v2_realtime' });
    const stream = client.stream();
    const events = [];
    const reading = (async () => {
      for await (const { type, alternatives } of stream) {
        const [{ text, language } = {}] = alternatives ?? [];
        if (text !== undefined) events.push({ type: stt.SpeechEventType[type], text, language });
        if (type === stt.SpeechEventType.FINAL_TRANSCRIPT) return;
      }
    })();
    await speak((audio) => stream.pushFrame(audio), 16_000, 800, 100);
    stream.flush();
    await reading;
    stream.close();
    return { events };
  },
  'openai-chat': async (url) => {
    const client = new openai.LLM({ apiKey: 'key', baseURL: url, model: 'gpt-4.1-mini' });
    const chatCtx = new llm.ChatContext();
    chatCtx.addMessage({ role: 'user', content: 'Hello' });
    const reply = async () => {
      const result = { text: '', calls: [], tokens: null };
      for await (const { delta, usage } of client.chat({ chatCtx })) {
        result.text += delta?.content ?? '';
        for (const { name, args } of delta?.toolCalls ?? []) result.calls.push({ name, args });
        if (usage !== undefined) result.tokens = usage.totalTokens;
      }
      return result;
    };
    return { replies: [await reply(), await reply()] };
  },
  'openai-realtime': (url) =>
    realtimeClient(new openai.realtime.RealtimeModel({ apiKey: 'key', baseURL: url, turnDetection: null }))(),
  'xai-realtime': (url) =>
    realtimeClient(new xai.realtime.RealtimeModel({ apiKey: 'key', baseURL: url, turnDetection: null }))(),
};

const [name, url] = process.argv.slice(2);
console.log(JSON.stringify(await clients[name](url)));
process.exit(0);
