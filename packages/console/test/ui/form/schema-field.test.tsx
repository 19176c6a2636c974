// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/dom';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/app/data/paths.ts';
import type { FormSchema } from '../../../src/app/data/schema.ts';
import { type FormOptions, type FormState, useForm } from '../../../src/app/ui/form/form-state.ts';
import { SchemaFields } from '../../../src/app/ui/form/schema-field.tsx';
import { show } from '../../support/show.tsx';
import { choose, press, type } from '../../support/user.ts';

let form: FormState;

/** Renders the fields of a schema, whose form state is in `form`. */
function showFields(
  properties: Readonly<Record<string, FormSchema>>,
  initial: JsonObject = {},
  options: Partial<FormOptions> & { readonly without?: readonly string[] } = {},
): void {
  const { without = [], ...others } = options;
  const Host = () => {
    form = useForm({ initial, texts: {}, ...others });
    return <SchemaFields form={form} path="" schema={{ type: 'object', properties }} without={without} />;
  };
  show(<Host />);
}

const orNull = (schema: FormSchema): FormSchema => ({ anyOf: [schema, { type: 'null' }] });

describe('a text field', () => {
  it('shows and sets the value', () => {
    showFields({ business_name: { type: 'string' } }, { business_name: 'Harbour' });
    const field = screen.getByRole('textbox', { name: 'Business name' });
    expect(field).toHaveProperty('value', 'Harbour');
    type(field, 'Pier');
    expect(form.values).toEqual({ business_name: 'Pier' });
  });

  it.each<[string, FormSchema, JsonObject]>([
    ['null if the schema accepts null', orNull({ type: 'string' }), { name: null }],
    ['omitted if it does not', { type: 'string' }, {}],
    ['omitted if null is accepted but there is a default', { ...orNull({ type: 'string' }), default: 'x' }, {}],
  ])('that is cleared is %s', (_, schema, values) => {
    showFields({ name: schema }, { name: 'Anna' });
    type(screen.getByRole('textbox', { name: 'Name' }), '');
    expect(form.values).toEqual(values);
  });

  it.each<[string, string, FormSchema, string]>([
    ['a password', 'auth_password', { type: 'string' }, 'password'],
    ['an API key', 'provider_api_key', { type: 'string' }, 'password'],
    ['a date', 'start', { type: 'string', format: 'date' }, 'date'],
    ['a time of day', 'start', { type: 'string', pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$' }, 'time'],
    ['other text', 'start', { type: 'string' }, 'text'],
  ])('of %s has the matching type', (_, name, schema, expected) => {
    showFields({ [name]: schema });
    expect(document.querySelector('input')?.type).toBe(expected);
  });

  it('has several lines if the text may be long', () => {
    showFields({ note: { type: 'string', maxLength: 501 }, name: { type: 'string', maxLength: 500 } });
    expect(screen.getByRole('textbox', { name: 'Note' }).tagName).toBe('TEXTAREA');
    expect(screen.getByRole('textbox', { name: 'Name' }).tagName).toBe('INPUT');
  });

  it('shows the default of the schema as placeholder', () => {
    showFields({ model: { type: 'string', default: 'nova' } });
    expect(screen.getByPlaceholderText('nova')).toHaveProperty('value', '');
  });
});

describe('a number field', () => {
  it('sets a number, and is omitted when it is cleared', () => {
    showFields({ max_attempts: { type: 'integer', minimum: 1, maximum: 20 } }, { max_attempts: 3 });
    const field = screen.getByRole('spinbutton', { name: 'Max attempts' });
    type(field, '5');
    expect(form.values).toEqual({ max_attempts: 5 });
    type(field, '');
    expect(form.values).toEqual({});
  });

  it('shows its bounds', () => {
    showFields({ retries: { type: 'integer', minimum: 0, maximum: 1_000 }, rate: { type: 'number', minimum: 0 } });
    expect(screen.getByText(`0 to ${(1_000).toLocaleString()}`)).toBeTruthy();
    expect(screen.getByRole('spinbutton', { name: 'Retries' })).toMatchObject({ min: '0', max: '1000', step: '1' });
    expect(screen.getByRole('spinbutton', { name: 'Rate' })).toHaveProperty('step', 'any');
  });
});

describe('a checkbox', () => {
  it('shows the default until it is set', () => {
    showFields({ enabled: { type: 'boolean', default: true }, muted: { type: 'boolean' } });
    expect(screen.getByRole('checkbox', { name: 'Enabled' })).toHaveProperty('checked', true);
    expect(screen.getByRole('checkbox', { name: 'Muted' })).toHaveProperty('checked', false);
    fireEvent.click(screen.getByRole('checkbox', { name: 'Enabled' }));
    expect(form.values).toEqual({ enabled: false });
  });
});

describe('a select', () => {
  it('offers the values of the schema and its default', () => {
    showFields({ transport: { type: 'string', enum: ['udp', 'tls'], default: 'udp' } });
    const select = screen.getByRole('combobox', { name: 'Transport' });
    expect(
      within(select)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Default: udp', 'udp', 'tls']);
    choose(select, 'tls');
    expect(form.values).toEqual({ transport: 'tls' });
    choose(select, '');
    expect(form.values).toEqual({});
  });

  it('offers the records that the field may reference', () => {
    const choices = { agent_id: [{ value: 'a', label: 'Reception' }] };
    showFields({ agent_id: orNull({ type: 'string' }) }, { agent_id: 'a' }, { choices });
    const select = screen.getByRole('combobox', { name: 'Agent ID' });
    expect(within(select).getByRole('option', { name: 'Reception' })).toHaveProperty('selected', true);
    choose(select, '');
    expect(form.values).toEqual({ agent_id: null });
  });
});

describe('a list of choices', () => {
  const days: FormSchema = { type: 'array', items: { type: 'string', enum: ['mon', 'tue', 'wed'] } };

  it('keeps the order of the choices, whatever the order of the clicks', () => {
    showFields({ days }, { days: ['wed'] });
    const group = screen.getByRole('group', { name: 'Days' });
    fireEvent.click(within(group).getByRole('checkbox', { name: 'mon' }));
    expect(form.values).toEqual({ days: ['mon', 'wed'] });
    fireEvent.click(within(group).getByRole('checkbox', { name: 'wed' }));
    fireEvent.click(within(group).getByRole('checkbox', { name: 'mon' }));
    expect(form.values).toEqual({});
  });

  it('shows the default until one is chosen', () => {
    showFields({ days: { ...days, default: ['mon', 'tue'] } });
    const checked = screen.getAllByRole('checkbox').map((each) => (each as HTMLInputElement).checked);
    expect(checked).toEqual([true, true, false]);
    fireEvent.click(screen.getByRole('checkbox', { name: 'mon' }));
    expect(form.values).toEqual({ days: ['tue'] });
  });

  it('offers records', () => {
    const choices = { agents: [{ value: 'a', label: 'Reception' }] };
    showFields({ agents: { type: 'array', items: { type: 'string' } } }, {}, { choices });
    fireEvent.click(screen.getByRole('checkbox', { name: 'Reception' }));
    expect(form.values).toEqual({ agents: ['a'] });
  });
});

describe('a list of texts', () => {
  const origins: FormSchema = { type: 'array', items: { type: 'string' } };

  it('has one text per line, and drops blank ones when it loses the focus', () => {
    showFields({ origins }, { origins: ['https://a.example'] });
    const field = screen.getByRole('textbox', { name: 'Origins' });
    expect(field).toHaveProperty('value', 'https://a.example');
    type(field, 'https://a.example\n  https://b.example \n');
    expect(form.values).toEqual({ origins: ['https://a.example', '  https://b.example ', ''] });
    fireEvent.blur(field);
    expect(form.values).toEqual({ origins: ['https://a.example', 'https://b.example'] });
  });

  it('is omitted without a text', () => {
    showFields({ origins }, { origins: ['x'] });
    const field = screen.getByRole('textbox', { name: 'Origins' });
    type(field, ' \n');
    fireEvent.blur(field);
    expect(form.values).toEqual({});
  });
});

describe('a list of objects', () => {
  const destinations: FormSchema = {
    type: 'array',
    items: { type: 'object', properties: { number: { type: 'string' } } },
  };

  it('adds, edits and removes items', () => {
    showFields({ destinations }, { destinations: [{ number: '+31' }] });
    press('Add');
    const [, second] = screen.getAllByRole('textbox', { name: 'Number' });
    type(second as HTMLElement, '+32');
    expect(form.values).toEqual({ destinations: [{ number: '+31' }, { number: '+32' }] });
    fireEvent.click(screen.getAllByRole('button', { name: 'Remove' })[0] as HTMLElement);
    expect(form.values).toEqual({ destinations: [{ number: '+32' }] });
    press('Remove');
    expect(form.values).toEqual({});
  });
});

describe('the fields of a schema', () => {
  it('are grouped by object', () => {
    showFields({ budget: { type: 'object', properties: { max_cost: { type: 'number' } } } });
    const group = screen.getByRole('group', { name: 'Budget' });
    type(within(group).getByRole('spinbutton', { name: 'Max cost' }), '2.5');
    expect(form.values).toEqual({ budget: { max_cost: 2.5 } });
  });

  it('leave out constants and hidden fields', () => {
    showFields(
      { type: { const: 'sip' }, secret: { type: 'string' }, name: { type: 'string' } },
      {},
      { without: ['secret'] },
    );
    expect(screen.getAllByRole('textbox')).toHaveLength(1);
    expect(document.querySelector('[type="password"]')).toBeNull();
  });

  it('are disabled in a form that may not be changed', () => {
    showFields(
      { name: { type: 'string' }, days: { type: 'array', items: { enum: ['mon'] } } },
      {},
      { isDisabled: true },
    );
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('disabled', true);
    expect(screen.getByRole('group', { name: 'Days' })).toHaveProperty('disabled', true);
  });

  it('are described by their help', () => {
    showFields({ name: { type: 'string' } }, {}, { texts: { name: { label: 'Your name', help: 'Callers hear it.' } } });
    const field = screen.getByRole('textbox', { name: 'Your name', description: 'Callers hear it.' });
    expect(field.getAttribute('aria-invalid')).toBe('false');
  });
});
