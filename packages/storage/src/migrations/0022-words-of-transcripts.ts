import type { Migration } from './migration.ts';

/**
 * Maximum number of indexed characters of a transcript. PostgreSQL refuses more than 1 MiB of words, so that the end of
 * a call could not be stored.
 */
const maxCharacters = 200_000;
/**
 * Characters replaced by spaces: PostgreSQL would read them as part of a number, address or path, not as a separator of
 * words.
 */
const signs = `!"#$%&()*+,-./:;<=>?@[\\]^_{|}~`;

/**
 * Adds an index of the words of transcripts. Its column is generated, so that PostgreSQL rewrites the table of calls
 * once: about a minute for each million calls.
 */
export const wordsOfTranscripts: Migration = {
  version: 22,
  name: 'words-of-transcripts',
  statements: [
    `create function {schema}.words_of_messages(messages json) returns tsvector
      language sql immutable parallel safe as $body$
        select to_tsvector(
          'pg_catalog.simple',
          translate(left(coalesce(string_agg(item.value ->> 'content', ' '), ''), ${maxCharacters}),
            '${signs}''', repeat(' ', ${signs.length + 1}))
        )
        from json_array_elements(case json_typeof(messages) when 'array' then messages else '[]' end) as item
      $body$`,
    `alter table {schema}.calls add messages_words tsvector
      generated always as ({schema}.words_of_messages(messages)) stored`,
    'create index calls_messages_words on {schema}.calls using gin (messages_words)',
  ],
};
