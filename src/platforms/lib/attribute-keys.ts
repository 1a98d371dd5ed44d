/**
 * The attribute key that svc makes from a header: `[a-z][a-z0-9_]*`. The service normalizes keys by a rule that is not
 * documented, and this form survives any such rule (F3). `Company / Org` becomes `company_org`, `userGroup` becomes
 * `user_group`, `Prénom` becomes `prenom`, and `2nd phone` becomes `n_2nd_phone`. Empty if svc can make no key.
 */
export function attributeKey(header: string): string {
  const key = toSnakeCase(withoutAccents(header));
  if (key === '') {
    return '';
  }
  if (/[a-z]/.test(key)) {
    return key.replace(/^(?=[0-9])/, 'n_');
  }
  // Digits alone make a key only if the header has no letters. Otherwise `Город 2` and `Имя 2` would both become `n_2`.
  return /\p{L}/u.test(header) ? '' : `n_${key}`;
}

/** Offers a key for a header if `attributeKey` can make none. `position` is the number of the column, from 1. */
export type OfferKey = (header: string, position: number) => string;

/**
 * Makes the function that offers keys: the header in Latin letters, or `column_3` if its characters have no Latin form.
 */
export async function createKeyOffers(headers: readonly string[]): Promise<OfferKey> {
  const keyOfPosition = (position: number) => `column_${position}`;
  if (headers.every((header) => header.trim() === '' || attributeKey(header) !== '')) {
    return (header, position) => attributeKey(header) || keyOfPosition(position);
  }
  // svc loads this module only when needed: the tables take half a megabyte, and few lists need them.
  const { default: anyAscii } = await import('any-ascii');
  // `any-ascii` writes a silent letter as an apostrophe, which is removed: `Объект` becomes `Ob'ekt`, then `Obekt`.
  return (header, position) => attributeKey(anyAscii(header).replaceAll("'", '')) || keyOfPosition(position);
}

/** True for a key that the service stores unchanged. */
export function isNormalKey(key: string): boolean {
  return /^[a-z][a-z0-9_]*$/.test(key) && toSnakeCase(key) === key;
}

function toSnakeCase(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
}

const LATIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ı: 'i',
};

function withoutAccents(header: string): string {
  return header
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæÆœŒøØłŁđĐðÐþÞı]/g, (letter) => LATIN_LETTERS[letter] ?? letter);
}
