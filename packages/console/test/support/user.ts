import { fireEvent, screen, within } from '@testing-library/dom';

/** Replaces the text of a field, as by typing. */
export function type(field: HTMLElement, text: string): void {
  fireEvent.input(field, { target: { value: text } });
}

/** Selects the option of a select with this value. */
export function choose(select: HTMLElement, value: string): void {
  fireEvent.change(select, { target: { value } });
}

/** Clicks the button with this name. */
export function press(name: string | RegExp, scope: HTMLElement = document.body): void {
  fireEvent.click(within(scope).getByRole('button', { name }));
}

/** Returns the open dialog with this title. */
export function dialog(title: string | RegExp): HTMLElement {
  return screen.getByRole('dialog', { name: title });
}

/** Returns the texts of the rows of a table, without its head: a list of cells each. */
export function cellsOf(table: HTMLElement): readonly (readonly string[])[] {
  const [, ...rows] = within(table).getAllByRole('row');
  return rows.map((row) => [...row.children].map((cell) => textOf(cell)));
}

/** Returns the row of a table that contains a text. */
export function rowOf(text: string): HTMLElement {
  const row = screen.getAllByRole('row').find((each) => textOf(each).includes(text));
  if (row === undefined) throw new Error(`No row contains "${text}".`);
  return row;
}

/** Returns the terms of a description list with their descriptions. */
export function factsOf(list: Element): Readonly<Record<string, string>> {
  const terms = [...list.querySelectorAll('dt')];
  return Object.fromEntries(
    terms.map((term) => [textOf(term), term.nextElementSibling === null ? '' : textOf(term.nextElementSibling)]),
  );
}

/** Returns the text of an element with single spaces. */
export function textOf(element: Element): string {
  return (element.textContent ?? '').replace(/\s+/g, ' ').trim();
}
