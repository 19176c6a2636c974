import type { JSX } from 'preact';
import { valueAt } from '../../data/paths.ts';
import { type FormSchema, isNullable, present } from '../../data/schema.ts';
import { texts } from '../../texts/en.ts';
import { Button } from '../button.tsx';
import { type FormState, textOf } from './form-state.ts';
import {
  CheckInput,
  ChoiceInput,
  ChoicesInput,
  type InputProps,
  LinesInput,
  NumberInput,
  TextInput,
} from './inputs.tsx';
import { JsonField } from './json-field.tsx';

export interface SchemaFieldProps {
  readonly form: FormState;
  readonly path: string;
  readonly schema: FormSchema;
}

/** Renders the input for a field by its schema; falls back to JSON for schemas without an input. */
export function SchemaField({ form, path, schema }: SchemaFieldProps): JSX.Element | null {
  const inner = present(schema);
  if (inner.const !== undefined) return null;
  const props: InputProps = {
    form,
    path,
    schema: { ...inner, default: schema.default ?? inner.default },
    empty: emptyOf(schema),
  };
  const refers = form.choices[path] !== undefined;
  if (refers && inner.type === 'array') return <ChoicesInput {...props} />;
  if (refers || inner.enum !== undefined) return <ChoiceInput {...props} />;
  switch (inner.type) {
    case 'string':
      return <TextInput {...props} />;
    case 'number':
    case 'integer':
      return <NumberInput {...props} />;
    case 'boolean':
      return <CheckInput {...props} />;
    case 'array':
      return <ArrayField {...props} />;
    case 'object':
      return inner.properties === undefined ? (
        <JsonField form={form} path={path} />
      ) : (
        <Group form={form} path={path} schema={inner} />
      );
    default:
      return <JsonField form={form} path={path} />;
  }
}

/** The fields of an object, except those of `without`. */
export function SchemaFields({
  form,
  path,
  schema,
  without = [],
}: SchemaFieldProps & { readonly without?: readonly string[] }): JSX.Element {
  const fields = Object.entries(present(schema).properties ?? {}).filter(([name]) => !without.includes(name));
  return (
    <>
      {fields.map(([name, each]) => (
        <SchemaField key={name} form={form} path={path === '' ? name : `${path}.${name}`} schema={each} />
      ))}
    </>
  );
}

function Group({ form, path, schema }: SchemaFieldProps): JSX.Element {
  const { label, help } = textOf(form, path);
  return (
    <fieldset class="group">
      <legend>{label}</legend>
      {help !== undefined && <p class="help">{help}</p>}
      <SchemaFields form={form} path={path} schema={schema} />
    </fieldset>
  );
}

function ArrayField(props: InputProps): JSX.Element {
  const items = present(props.schema.items ?? {});
  if (items.enum !== undefined) return <ChoicesInput {...props} />;
  if (items.type === 'string') return <LinesInput {...props} />;
  if (items.properties === undefined) return <JsonField form={props.form} path={props.path} />;
  return <ObjectList {...props} schema={items} />;
}

/** A list of objects, each with its fields. */
function ObjectList({ form, path, schema, empty }: InputProps): JSX.Element {
  const value = valueAt(form.values, path);
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const replace = (next: readonly unknown[]): void => form.set(path, next.length === 0 ? empty : next);
  const { label, help } = textOf(form, path);
  return (
    <fieldset class="group" disabled={form.isDisabled}>
      <legend>{label}</legend>
      {help !== undefined && <p class="help">{help}</p>}
      {items.map((_item, index) => (
        <div key={index} class="item">
          <SchemaFields form={form} path={`${path}.${index}`} schema={schema} />
          <Button kind="danger" onClick={() => replace(items.filter((_each, at) => at !== index))}>
            {texts.form.remove}
          </Button>
        </div>
      ))}
      <Button onClick={() => replace([...items, {}])}>{texts.form.add}</Button>
    </fieldset>
  );
}

/** Returns the value of a cleared field: null if it may be null and has no default, else undefined, which omits it. */
function emptyOf(schema: FormSchema): null | undefined {
  return isNullable(schema) && schema.default === undefined ? null : undefined;
}
