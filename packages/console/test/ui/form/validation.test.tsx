// @vitest-environment happy-dom
import { screen } from '@testing-library/dom';
import { describe, expect, it, vi } from 'vitest';
import type { FormSchema } from '../../../src/app/data/schema.ts';
import { FormDialog } from '../../../src/app/ui/form/form-dialog.tsx';
import { useForm } from '../../../src/app/ui/form/form-state.ts';
import { deferred, refusal } from '../../support/session.ts';
import { show, showHook, until } from '../../support/show.tsx';
import { dialog, press, type } from '../../support/user.ts';

const schema: FormSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, limit: { type: 'integer' }, secret_note: { type: 'string' } },
};
const invalidLimit = refusal('limit: expected at most 10', {
  errors: [{ path: 'limit', code: 'invalid_field', message: 'expected at most 10' }],
});

/** Renders the dialog with an action that the test answers. */
function showDialog(onSubmit: (values: object) => Promise<void>, onClose: () => void = () => {}): void {
  show(
    <FormDialog
      title="New key"
      schema={schema}
      initial={{ name: 'Server' }}
      texts={{}}
      without={['secret_note']}
      action="Create"
      onSubmit={onSubmit}
      onClose={onClose}
    />,
  );
}

describe('a dialog with a form', () => {
  it('sends the values', () => {
    const onSubmit = vi.fn(async () => {});
    showDialog(onSubmit);
    type(screen.getByRole('spinbutton', { name: 'Limit' }), '7');
    press('Create');
    expect(onSubmit.mock.calls).toEqual([[{ name: 'Server', limit: 7 }]]);
    expect(screen.queryByRole('textbox', { name: 'Secret note' })).toBeNull();
  });

  it('sends nothing twice while it waits for the answer', async () => {
    const sent = deferred();
    const onSubmit = vi.fn(() => sent.promise);
    showDialog(onSubmit);
    press('Create');
    const button = screen.getByRole('button', { name: 'Create' });
    expect([button.getAttribute('aria-busy'), button.hasAttribute('disabled')]).toEqual(['true', true]);
    press('Create');
    expect(onSubmit).toHaveBeenCalledTimes(1);
    sent.resolve();
    await until(() => expect(button.getAttribute('aria-busy')).toBe('false'));
  });

  it('shows a refusal, and its message at the invalid field until the field is changed', async () => {
    showDialog(() => Promise.reject(invalidLimit));
    const field = screen.getByRole('spinbutton', { name: 'Limit' });
    type(field, '11');
    press('Create');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('limit: expected at most 10');
    expect(alert.textContent).toContain('req-1');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByRole('spinbutton', { description: 'expected at most 10' })).toBe(field);
    type(field, '10');
    expect(field.getAttribute('aria-invalid')).toBe('false');
  });

  it('keeps the values after a refusal', async () => {
    showDialog(() => Promise.reject(new Error('offline')));
    type(screen.getByRole('textbox', { name: 'Name' }), 'Other');
    press('Create');
    await screen.findByText('offline');
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Other');
  });

  it('removes the refusal when it is sent again', async () => {
    const onSubmit = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('offline'));
    onSubmit.mockResolvedValue(undefined);
    showDialog(onSubmit);
    press('Create');
    await screen.findByRole('alert');
    press('Create');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('is closed by its buttons without sending', () => {
    const [onSubmit, onClose] = [vi.fn(async () => {}), vi.fn()];
    showDialog(onSubmit, onClose);
    press('Cancel', dialog('New key'));
    press('Close', dialog('New key'));
    expect([onSubmit.mock.calls.length, onClose.mock.calls.length]).toEqual([0, 2]);
  });
});

describe('the state of a form', () => {
  it('keeps the errors of other fields when one is changed', async () => {
    const hook = showHook(() => useForm({ initial: { a: { b: 1 }, ab: 2 }, texts: {} }));
    const fields = ['a', 'a.b', 'ab'].map((path) => ({ path, code: 'invalid_field', message: `fault of ${path}` }));
    hook.current.setErrors(refusal('invalid', { errors: fields }));
    await until(() => expect(hook.current.errors.size).toBe(3));
    hook.current.set('a', {});
    await until(() => expect([...hook.current.errors.keys()]).toEqual(['ab']));
  });

  it('has no errors after an error that is not one of the API', async () => {
    const hook = showHook(() => useForm({ initial: {}, texts: {} }));
    hook.current.setErrors(invalidLimit);
    await until(() => expect(hook.current.errors.size).toBe(1));
    hook.current.setErrors(new Error('offline'));
    await until(() => expect(hook.current.errors.size).toBe(0));
  });

  it('drops the errors when all values are replaced', async () => {
    const hook = showHook(() => useForm({ initial: { limit: 1 }, texts: {} }));
    hook.current.setErrors(invalidLimit);
    hook.current.replace({ limit: 2 });
    await until(() => expect([hook.current.values, hook.current.errors.size]).toEqual([{ limit: 2 }, 0]));
  });
});
