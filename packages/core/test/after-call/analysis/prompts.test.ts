import { describe, expect, it } from 'vitest';
import { structuredMessages, summaryMessages } from '../../../src/after-call/analysis/prompts.ts';
import { transcriptText } from '../../../src/after-call/analysis/transcript-text.ts';

const transcript = 'Caller: Hello.';
const schema = { type: 'object' };
const system = (content: string) => ({ role: 'system', content });
const withTranscript = { role: 'user', content: `The transcript:\n${transcript}` };

describe('summaryMessages', () => {
  it('asks with a prompt of its own by default, followed by the transcript', () => {
    const [prompt, ...others] = summaryMessages([], transcript);
    expect(prompt).toMatchObject({ role: 'system', content: expect.stringContaining('Sum it up') });
    expect(others).toEqual([withTranscript]);
  });

  it.each(['{{transcript}}', '{{ transcript }}', '{transcript}', '{ transcript }'])(
    'fills %s, and does not add the transcript again',
    (place) => {
      expect(summaryMessages([system(`In short: ${place}!`)], transcript)).toEqual([
        system(`In short: ${transcript}!`),
      ]);
    },
  );

  it('adds the transcript to messages that do not name it', () => {
    expect(summaryMessages([system('In short.')], transcript)).toEqual([system('In short.'), withTranscript]);
  });

  it('fills every placeholder, and leaves other braces alone', () => {
    expect(summaryMessages([system('{transcript} {{name}} {{transcript}} {schema}')], 'T')).toEqual([
      system('T {{name}} T {schema}'),
    ]);
  });

  it('does not fill placeholders in words of the caller', () => {
    const spoken = 'Caller: {{schema}} {{transcript}} $& $1';
    expect(summaryMessages([system('{{transcript}}')], spoken)).toEqual([system(spoken)]);
  });

  it('keeps the roles that models know, and takes others as those of a user', () => {
    const written = ['system', 'user', 'assistant', 'developer'].map((role) => ({ role, content: '{transcript}' }));
    expect(summaryMessages(written, 'T').map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  });
});

describe('structuredMessages', () => {
  const text = JSON.stringify(schema, null, 2);

  it('names the schema before messages that do not', () => {
    const [prompt, ...others] = structuredMessages([system('Dates as ISO 8601.')], schema, transcript);
    expect(prompt?.content).toContain(`The schema:\n${text}`);
    expect(others).toEqual([system('Dates as ISO 8601.'), withTranscript]);
  });

  it('asks with the given messages alone if they name the schema', () => {
    expect(structuredMessages([system('Fill {{ schema }}.')], schema, transcript)).toEqual([
      system(`Fill ${text}.`),
      withTranscript,
    ]);
  });
});

describe('transcriptText', () => {
  const said = (role: 'user' | 'assistant', content: string) => ({ role, content });

  it('has a line per message', () => {
    const messages = [said('assistant', 'Hello.'), said('user', 'A table,\nplease.')];
    expect(transcriptText(messages)).toBe('Agent: Hello.\nCaller: A table, please.');
    expect(transcriptText([])).toBe('');
  });

  it('keeps a text of the limit, and of a longer one the beginning and the end', () => {
    const messages = [said('user', 'abcdefghijkl')];
    expect(transcriptText(messages, 20)).toBe('Caller: abcdefghijkl');
    expect(transcriptText(messages, 16)).toBe('Call\n[…]\nabcdefghijkl');
  });

  it('keeps 50,000 characters of the beginning and 150,000 of the end', () => {
    const text = transcriptText([said('user', 'x'.repeat(300_000))]);
    const [beginning, end] = text.split('\n[…]\n');
    expect([beginning?.length, end?.length]).toEqual([50_000, 150_000]);
  });
});
