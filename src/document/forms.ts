/** Describes patterns and formats of the schema for people. A test checks that every one is described. */
const FORMS: Readonly<Record<string, string>> = {
  '^[a-z0-9][a-z0-9._-]{0,62}$':
    'A name has lower-case letters, digits, `.`, `_` and `-`, begins with a letter or a digit, and has at most 63 characters.',
  '^(?![0-9]+$)[a-z0-9][a-z0-9._-]{0,62}$':
    'The key of an item has lower-case letters, digits, `.`, `_` and `-`, and not digits alone: numbers are what items without a key get.',
  '^[A-Za-z][A-Za-z0-9_-]*$':
    'A name here has letters, digits, `_` and `-`, and begins with a letter, so that `${{ … }}` can name it.',
  '^[A-Za-z_][A-Za-z0-9_]*$':
    'This is the name of an environment variable: letters, digits and `_`. The API key itself never stands here.',
  '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$':
    'The id of an object that the service has already is a UUID: 32 hexadecimal digits in five groups.',
  '^\\*$': 'The values of a matrix key are a list, or "*" for every product or every concept.',
  '^/': 'The path of generated media begins with `/`.',
  '^(/[^/]*)*$': 'A JSON Pointer is a series of names with a `/` before each.',
  '^!4(?!01|29)[0-9]{2}$':
    'Write a status as a number (503) to add it, or as `"!403"` to take a 4xx away; 401 and 429 always prove that nothing was done.',
  '^([0-9]+(ms|s|m|h|d))+$': 'A duration is a number with its unit: ms, s, m, h or d.',
  '^(product|concept)/[a-z0-9._-]+(\\+[0-9]+)?$|^media/[a-z0-9._+/-]+$':
    'An address is `product/KEY`, `concept/KEY`, `media/POST` or `media/POST/ITEM`.',
  uri: 'An address is written in full, with https:// at its beginning.',
};

export function formOf(patternOrFormat: string): string {
  return FORMS[patternOrFormat] ?? 'It does not have the form that is needed here.';
}
