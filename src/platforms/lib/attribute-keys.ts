/**
 * The attribute key of a header, in a form that any snake_case rule leaves unchanged: `[a-z][a-z0-9_]*` (rule F3).
 * `Company / Org` becomes `company_org`, `userGroup` `user_group`, `Prénom` `prenom`, `2nd phone` `n_2nd_phone`. Empty
 * if no character of the header can be kept.
 */
export function attributeKey(header: string): string {
  const key = toSnakeCase(latin(header));
  if (key === '') {
    return '';
  }
  if (/[a-z]/.test(key)) {
    return key.replace(/^(?=[0-9])/, 'n_');
  }
  // A key of digits alone is safe only if no letters were lost: `Город 2` and `Имя 2` must not both become `n_2`.
  return /\p{L}/u.test(header) ? '' : `n_${key}`;
}

/** Offers a key for a header whose own key would be empty; positions count from 1. */
export type OfferKey = (header: string, position: number) => string;

/** Offers keys in Latin letters if a header has letters or emoji, else by position. */
export async function createKeyOffers(headers: readonly string[]): Promise<OfferKey> {
  const position = (at: number) => `column_${at}`;
  if (headers.every((header) => header.trim() === '' || attributeKey(header) !== '')) {
    return (header, at) => attributeKey(header) || position(at);
  }
  // Imported only on demand: half a megabyte of tables that few lists need.
  const { default: anyAscii } = await import('any-ascii');
  // The apostrophe stands for a silent letter, so it is removed: `Объект` becomes `Ob'ekt`.
  return (header, at) => attributeKey(anyAscii(header).replaceAll("'", '')) || position(at);
}

/** True for keys that the service stores unchanged. */
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

const SPELLED: Readonly<Record<string, string>> = {
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

function latin(header: string): string {
  return header
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæÆœŒøØłŁđĐðÐþÞı]/g, (letter) => SPELLED[letter] ?? letter);
}
