// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { isChanged, isFaulty, isTabId } from '../../../src/app/pages/agents/editor/tabs.ts';
import {
  canBeTried,
  exampleArguments,
  newTool,
  requestOf,
  toolSchemas,
  toolsIn,
  toolTypes,
} from '../../../src/app/pages/agents/tools/tool.ts';
import { variablesOf } from '../../../src/app/ui/editor/variables.ts';

describe('tools', () => {
  it('are read from the settings of an agent, without malformed entries', () => {
    expect(toolsIn({ llm_config: { tools: [{ type: 'mcp' }, null, 'x', []] } })).toEqual([{ type: 'mcp' }]);
    for (const values of [{}, { llm_config: null }, { llm_config: { tools: {} } }]) expect(toolsIn(values)).toEqual([]);
  });

  it('have the flat schema of their type', () => {
    const of = (type: string, rest: object = {}) => ({ properties: { type: { const: type }, ...rest } });
    const tools = { items: { anyOf: [of('function', { function: {} }), of('function', { name: {} }), of('mcp')] } };
    const found = toolSchemas({ properties: { llm_config: { properties: { tools } } } });
    expect([...found.keys()]).toEqual(['function', 'mcp']);
    expect(found.get('function')?.properties).toHaveProperty('name');
    expect(toolSchemas({})).toEqual(new Map());
  });

  it('start with the fields that their type requires', () => {
    for (const type of toolTypes) expect(newTool(type)).toMatchObject({ type });
    expect(newTool('mcp')).toEqual({ type: 'mcp', server: { url: '' } });
  });

  it.each([
    [{ type: 'function' }, true],
    [{ type: 'function', runs: 'client' }, false],
    [{ type: 'host' }, true],
    [{ type: 'endCall' }, false],
    [{}, false],
  ])('%j can be tried: %j', (tool, expected) => {
    expect(canBeTried(tool)).toBe(expected);
  });

  it('have an example of each argument in their request', () => {
    const properties = {
      ...{ size: { type: 'integer' }, day: { enum: ['monday'] }, none: { enum: [] }, vip: { type: 'boolean' } },
      ...{ tags: { type: 'array' }, more: { type: 'object' }, name: { type: 'string' }, broken: 7 },
    };
    const args = { size: 1, day: 'monday', none: null, vip: true, tags: [], more: {}, name: '…', broken: null };
    expect(exampleArguments({ parameters: { properties } })).toEqual(args);
    expect(exampleArguments({ function: { parameters: { properties } } })).toEqual(args);
    expect(exampleArguments({ parameters: 'x' })).toEqual({});
    const request = JSON.parse(requestOf({ type: 'function', name: 'book', parameters: { properties } }));
    expect(request.message.toolCallList[0].function).toEqual({ name: 'book', arguments: args });
  });
});

describe('the tabs of the agent editor', () => {
  const saved = { name: 'Anna', llm_config: { model: 'm', tools: [{ type: 'endCall' }] } };

  it('assign changes of tools to their own tab', () => {
    const withTool = { ...saved, llm_config: { model: 'm', tools: [] } };
    expect([isChanged('tools', saved, withTool), isChanged('model', saved, withTool)]).toEqual([true, false]);
    const withModel = { ...saved, llm_config: { ...saved.llm_config, model: 'n' } };
    expect([isChanged('tools', saved, withModel), isChanged('model', saved, withModel)]).toEqual([false, true]);
    expect(isChanged('model', saved, { ...saved, llm_config: null })).toBe(true);
    expect(isChanged('identity', saved, { ...saved, name: 'Bert' })).toBe(true);
  });

  it.each([
    ['llm_config.tools.0.url', 'tools'],
    ['llm_config.tools', 'tools'],
    ['llm_config.toolset', 'model'],
    ['llm_config', 'model'],
    ['name', 'identity'],
    ['budget.per_call', 'limits'],
  ] as const)('show the error of %s in %s only', (path, tab) => {
    const errors = new Map([[path, 'wrong']]);
    const tabs = ['identity', 'model', 'tools', 'speech', 'voice', 'analysis', 'webhooks', 'limits'] as const;
    expect(tabs.filter((each) => isFaulty(each, errors))).toEqual([tab]);
  });

  it('are not found by names of the prototype', () => {
    expect([isTabId('voice'), isTabId('toString'), isTabId(undefined)]).toEqual([true, false, false]);
  });
});

it('variablesOf › returns each placeholder once', () => {
  expect(variablesOf('Hi {{name}}, {{ name }} {{a.b-c}}', '{{}} {name} {{two words}}', '{{x}}')).toEqual([
    ...['name', 'a.b-c', 'x'],
  ]);
});
