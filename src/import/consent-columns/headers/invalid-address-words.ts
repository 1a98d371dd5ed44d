import { compileWords, stemPattern } from '../words/word-patterns.ts';

// Words in headers of columns that mark wrong addresses: `Invalid Email`, `E-Mail ungültig`, `Email non valida`.

// Stems of words for `wrong`.
const WRONG_STEMS = stemPattern(
  'invalid ungultig fehlerhaft falsch nonvalid novalid ongeldig onjuist nieprawidlow bledn ogiltig felaktig ugyldig',
  'virheelli gecersiz hatali neplatn nevalid ervenytelen hibas errad[oa] errat[oa] errone incorrect malformed enerreur enerror',
  '(?:not|nicht|pas|niet|nao|ikke|inte|ej|nie)(?:valid|gultig|zustellbar|deliverable|geldig|gyldig|giltig|wazn)',
  'недействит неверн некорректн недійсн',
).source;

// Stems of words for an address or for email.
const ADDRESS = stemPattern(
  'e?mail adress address correo courriel epost indirizz direccion enderec sahkoposti почт адрес пошт',
).source;

const FLAGS = stemPattern(
  '^oxemailfailed$ undeliverable unzustellbar unreachable 不達 不着 ^(?:not|nicht)(?:deliverable|zustellbar)',
  '(?:bad|dead|wrong)(?:e?mail|(?:e?mail)?address) e?mail(?:address)?\\d?(?:is)?(?:bad|dead|wrong)',
  '(?:メール|アドレス)[がは]?無効 無効な?(?:メール|アドレス) (?:邮箱|邮件|地址|郵箱|郵件)(?:无效|無效) (?:无效|無效)的?(?:邮|地址|郵) (?:메일|주소)무효 무효(?:메일|주소)',
).source;

/**
 * Matches a header, without its blanks, about wrong addresses or addresses that get no mail: `invalidemail`. Such a
 * header does not prove a hard bounce.
 */
export const INVALID_ADDRESS_WORDS = compileWords(
  `(?:${WRONG_STEMS})\\p{L}{0,6}(?:${ADDRESS})|(?:${ADDRESS})\\p{L}{0,12}(?:${WRONG_STEMS})|${FLAGS}`,
);
