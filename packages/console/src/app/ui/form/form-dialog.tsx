import type { JSX } from 'preact';
import type { JsonObject } from '../../data/paths.ts';
import type { FormSchema } from '../../data/schema.ts';
import { useAction } from '../../data/use-action.ts';
import { texts } from '../../texts/en.ts';
import type { FieldTexts } from '../../texts/field-texts.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog/dialog.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import { type FormState, useForm } from './form-state.ts';
import { SchemaFields } from './schema-field.tsx';

export interface FormDialogProps {
  readonly title: string;
  readonly schema: FormSchema;
  readonly initial?: JsonObject;
  readonly texts: FieldTexts;
  readonly choices?: FormState['choices'];
  /** Paths of fields to hide. */
  readonly without?: readonly string[];
  readonly action: string;
  /** Sends the values. A rejection is shown in the dialog, field errors at their fields. */
  readonly onSubmit: (values: JsonObject) => Promise<void>;
  readonly onClose: () => void;
}

/** A dialog with a form generated from a schema. */
export function FormDialog(props: FormDialogProps): JSX.Element {
  const { title, schema, initial = {}, without = [], action, onSubmit, onClose, choices = {} } = props;
  const form = useForm({ initial, texts: props.texts, choices });
  const { isBusy, error, run } = useAction();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(() => onSubmit(form.values), form.setErrors);
  };
  return (
    <Dialog title={title} isWide onClose={onClose}>
      <form class="form" noValidate onSubmit={submit}>
        <SchemaFields form={form} path="" schema={schema} without={without} />
        {error !== null && <ErrorNotice error={error} />}
        <div class="actions">
          <Button onClick={onClose}>{texts.dialog.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
