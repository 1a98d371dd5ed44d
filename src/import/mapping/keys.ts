import { romanize } from './romanize.ts';

/**
 * Attribute key of a header, in a form on which any snake_case rule is the identity: `[a-z][a-z0-9_]*` (rule F3).
 * `Company / Org` becomes `company_org`, `userGroup` `user_group`, `Prénom` `prenom`, `2nd phone` `n_2nd_phone`.
 * Empty where nothing of the header can be kept.
 */
export function attributeKey(header: string): string {
  const key = snake(latin(header));
  if (key === '') {
    return '';
  }
  if (/[a-z]/.test(key)) {
    return key.replace(/^(?=[0-9])/, 'n_');
  }
  // Digits alone are a key only if no letters were lost: `Город 2` and `Имя 2` must not meet in `n_2`.
  return /\p{L}/u.test(header) ? '' : `n_${key}`;
}

/** A key to offer for a header whose own would be empty: romanized where that can be done, else by position from 1. */
export function offeredKey(header: string, position: number): string {
  return attributeKey(romanize(header)) || `column_${position}`;
}

/** True for keys that arrive as they are sent. */
export function isNormalKey(key: string): boolean {
  return /^[a-z][a-z0-9_]*$/.test(key) && snake(key) === key;
}

function snake(text: string): string {
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
