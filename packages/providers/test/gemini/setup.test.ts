import { silentLogger } from '@va/testkit';
import { describe, expect, it } from 'vitest';
import { announcesHistory, setupOf, turnsOf } from '../../src/gemini/setup.ts';

const settings = {
  config: { provider: 'gemini_live', messages: [], tools: [] },
  logger: silentLogger,
  instructions: 'Be brief.',
  tools: [],
};
const state = { model: 'gemini-2.5-flash', handle: undefined, hasHistory: false };

describe('setupOf', () => {
  it('names the model with its collection', () => {
    expect(setupOf(settings, state)).toMatchObject({ setup: { model: 'models/gemini-2.5-flash' } });
    expect(setupOf(settings, { ...state, model: 'projects/p/models/m' })).toMatchObject({
      setup: { model: 'projects/p/models/m' },
    });
  });

  it('has no list of tools without tools, which some models reject', () => {
    expect(setupOf(settings, state).setup).not.toHaveProperty('tools');
    const tools = [{ name: 'book', description: 'Books.', parameters: { type: 'object' } }];
    expect(setupOf({ ...settings, tools }, state)).toMatchObject({
      setup: { tools: [{ functionDeclarations: [{ name: 'book', parametersJsonSchema: { type: 'object' } }] }] },
    });
  });

  it.each([
    [undefined, {}],
    ['h1', { handle: 'h1' }],
  ])('requests a resumption by the handle %s', (handle, sessionResumption) => {
    expect(setupOf(settings, { ...state, handle })).toMatchObject({ setup: { sessionResumption } });
  });

  it.each([
    ['gemini-2.5-flash', true, false],
    ['gemini-3.1-flash', true, true],
    ['gemini-3.1-flash', false, false],
  ])('announces the history to %s (history: %s): %s', (model, hasHistory, expected) => {
    const { setup } = setupOf(settings, { ...state, model, hasHistory });
    expect(Object.hasOwn(setup as object, 'historyConfig')).toBe(expected);
  });

  it('adds the options to what the adapter sets', () => {
    const config = { ...settings.config, options: { proactivity: { proactiveAudio: true } } };
    expect(setupOf({ ...settings, config }, state)).toMatchObject({
      setup: { proactivity: { proactiveAudio: true }, systemInstruction: { parts: [{ text: 'Be brief.' }] } },
    });
  });
});

it.each([
  ['gemini-2.5-flash-native-audio', false],
  ['gemini-2.0-flash', false],
  ['gemini-3.1-flash-live', true],
  ['gemini-10-flash', true],
])('announcesHistory of %s is %s', (model, expected) => {
  expect(announcesHistory(model)).toBe(expected);
});

describe('turnsOf', () => {
  it('names the tool of a result by its call', () => {
    const turns = turnsOf([
      { kind: 'message', role: 'user', text: 'Two, please.' },
      { kind: 'call', call: { id: 'a', name: 'book', arguments: '{"n":2}' } },
      { kind: 'output', callId: 'a', output: 'done' },
      { kind: 'message', role: 'assistant', text: 'Booked.' },
    ]);
    expect(turns).toEqual([
      { role: 'user', parts: [{ text: 'Two, please.' }] },
      { role: 'model', parts: [{ functionCall: { id: 'a', name: 'book', args: { n: 2 } } }] },
      { role: 'user', parts: [{ functionResponse: { id: 'a', name: 'book', response: { output: 'done' } } }] },
      { role: 'model', parts: [{ text: 'Booked.' }] },
    ]);
  });

  it('leaves out turns without a transcript, and blank texts', () => {
    const turns = turnsOf([
      { kind: 'turn', turn: 1, audio: [], text: undefined },
      { kind: 'turn', turn: 2, audio: [], text: ' ' },
      { kind: 'message', role: 'system', text: 'Be polite.' },
    ]);
    expect(turns).toEqual([{ role: 'user', parts: [{ text: 'Be polite.' }] }]);
  });

  it('passes an empty object for arguments that are not an object', () => {
    const [turn] = turnsOf([{ kind: 'call', call: { id: 'a', name: 'book', arguments: '[1]' } }]);
    expect(turn).toMatchObject({ parts: [{ functionCall: { args: {} } }] });
  });
});
