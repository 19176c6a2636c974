import { describe, expect, it } from 'vitest';
import { unheardText } from '../../../src/calls/record/unheard-text.ts';

describe('unheardText', () => {
  it('returns the rest behind the heard words, whatever the white space between them', () => {
    expect(unheardText('We have one\n table  at eight. Shall I book it?', 'We have one table')).toBe(
      'at eight. Shall I book it?',
    );
    expect(unheardText('We have one table.', '')).toBe('We have one table.');
  });

  it('returns nothing if all was heard, or if the heard words begin otherwise', () => {
    expect(unheardText('One table. ', 'One table.')).toBe('');
    expect(unheardText('One table.', 'Two')).toBe('');
  });
});
